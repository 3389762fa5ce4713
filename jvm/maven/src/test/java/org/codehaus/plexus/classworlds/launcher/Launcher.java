package org.codehaus.plexus.classworlds.launcher;

import java.io.InputStream;

/** Stands for that of an installed Maven, as far as it is called. */
public final class Launcher {
    /** What the clients are made with. */
    public static final class World {
        public ClassLoader getClassRealm(String name) {
            return Launcher.class.getClassLoader();
        }
    }

    public void setSystemClassLoader(ClassLoader loader) {}

    public void configure(InputStream configuration) {}

    public World getWorld() {
        return new World();
    }
}
