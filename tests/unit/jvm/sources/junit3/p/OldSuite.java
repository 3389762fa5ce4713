package p;
public class OldSuite {
    public static junit.framework.Test suite() { return new junit.framework.TestSuite(OldTest.class); }
}
