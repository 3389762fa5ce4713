package testevo.lines;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;

/** Whether this JVM retains so much memory that it should be replaced by a new one. */
public final class Memory {
    /** The compiler and all of ours is a fifth of it, Maven a third; processors and plugins are loaded anew each time. */
    private static final long MOST_CLASSES_BYTES = 256L << 20;

    private Memory() {}

    /** By what the last full collection could not collect, not by garbage, and by the classes that are loaded. */
    public static boolean isExhausted() {
        long most = Runtime.getRuntime().maxMemory() / 2;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            MemoryUsage lasting = pool.getCollectionUsage();
            boolean isOld =
                    pool.getName().endsWith("Tenured Gen") || pool.getName().endsWith("Old Gen");
            if (isOld && lasting != null && lasting.getUsed() > most) {
                return true;
            }
            if (pool.getName().equals("Metaspace") && pool.getUsage().getUsed() > MOST_CLASSES_BYTES) {
                return true;
            }
        }
        return false;
    }
}
