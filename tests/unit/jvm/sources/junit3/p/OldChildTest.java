package p;
public class OldChildTest extends OldTest { }
