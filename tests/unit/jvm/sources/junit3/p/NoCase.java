package p;
public class NoCase extends junit.framework.TestCase { public void helper() { } }
