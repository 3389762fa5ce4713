package m;
public class InheritingTest extends ParentTest { Calc make() { return new Calc(); } }
