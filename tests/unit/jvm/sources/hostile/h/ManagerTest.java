package h;
import org.junit.*;
public class ManagerTest {
    @Test public void forbidsExit() {
        System.setSecurityManager(new SecurityManager() {
            @Override public void checkPermission(java.security.Permission p) { }
            @Override public void checkExit(int status) { throw new SecurityException("stay"); }
        });
    }
    @Test public void forbidsAll() {
        System.setSecurityManager(new SecurityManager() {
            @Override public void checkPermission(java.security.Permission p) { throw new SecurityException(p.toString()); }
        });
    }
}
