package m;
import org.junit.Test;
public abstract class ParentTest { abstract Calc make(); @Test public void inherited() { make().add(1, 2); } }
