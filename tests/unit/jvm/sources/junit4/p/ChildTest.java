package p;
public class ChildTest extends NewTest { }
