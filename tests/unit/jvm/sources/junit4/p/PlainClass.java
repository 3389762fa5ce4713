package p;
public class PlainClass { public void nothing() { } }
