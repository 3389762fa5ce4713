package org.codehaus.plexus.classworlds.launcher;

import java.io.InputStream;
import java.util.HashSet;
import java.util.Set;

/** Stands for that of an installed Maven, as far as it is called. */
public final class Launcher {
    /** What the clients are made with. */
    public static final class World {
        private final Set<String> realms = new HashSet<>(Set.of("plexus.core"));

        /** As Maven does for an extension on its command line: a second one of the same name is refused. */
        public void newRealm(String name) {
            if (!realms.add(name)) {
                throw new IllegalStateException("There is a realm " + name);
            }
        }

        public ClassLoader getClassRealm(String name) {
            return realms.contains(name) ? Launcher.class.getClassLoader() : null;
        }

        public void disposeRealm(String name) {
            realms.remove(name);
        }
    }

    public void setSystemClassLoader(ClassLoader loader) {}

    public void configure(InputStream configuration) {}

    public World getWorld() {
        return new World();
    }
}
