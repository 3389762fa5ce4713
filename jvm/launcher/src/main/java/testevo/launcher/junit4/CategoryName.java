package testevo.launcher.junit4;

import java.util.Collection;

/** A category as a build names it: the class of this name and what extends it, and classes whose name ends so. */
final class CategoryName {
    private final String name;
    /** Null: the class path has no such class. */
    private final Class<?> type;

    CategoryName(String written, ClassLoader loader) {
        name = written.endsWith(".class") ? written.substring(0, written.length() - ".class".length()) : written;
        type = load(name, loader);
    }

    private static Class<?> load(String name, ClassLoader loader) {
        try {
            return loader.loadClass(name);
        } catch (ClassNotFoundException unknown) {
            return null;
        }
    }

    boolean isIn(Collection<Class<?>> categories) {
        for (Class<?> category : categories) {
            boolean isBelow = type != null && type.isAssignableFrom(category);
            if (isBelow || category.getName().endsWith(name)) {
                return true;
            }
        }
        return false;
    }
}
