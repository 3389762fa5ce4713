package testevo.launcher.junit4;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.runner.Description;
import org.junit.runner.manipulation.Filter;
import testevo.launcher.backend.Selection;

/**
 * Lets through what is in an included category and in no excluded one: by the rules of Surefire, in its
 * class {@code GroupMatcherCategoryFilter}, which are not those of JUnit's {@code Categories}.
 */
final class CategoryFilter extends Filter {
    private final CategoryAnnotation annotation = new CategoryAnnotation();
    private final List<CategoryName> included;
    private final List<CategoryName> excluded;
    /** The rules before Surefire 3.0.0-M5. */
    private final boolean older;

    private CategoryFilter(Selection selection) {
        included = names(selection.includedTags);
        excluded = names(selection.excludedTags);
        older = selection.olderCategories;
    }

    /** Null where the build names no categories. */
    static CategoryFilter of(Selection selection) {
        boolean isNeeded = !selection.includedTags.isEmpty() || !selection.excludedTags.isEmpty();
        return isNeeded ? new CategoryFilter(selection) : null;
    }

    private static List<CategoryName> names(List<String> written) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        List<CategoryName> names = new ArrayList<>();
        for (String name : written) {
            names.add(new CategoryName(name, loader));
        }
        return names;
    }

    @Override
    public boolean shouldRun(Description description) {
        Class<?> type = annotation.testClass(description);
        if (type == null) {
            return shouldRun(description, null, null);
        }
        String method = annotation.methodName(description);
        if (older && method == null) {
            return shouldRun(description, null, null);
        }
        boolean isClass = method == null || method.equals("null") && !older;
        return shouldRun(description, isClass ? null : Description.createSuiteDescription(type), type);
    }

    /** {@code type}: the class whose superclasses count; null: none do. */
    private boolean shouldRun(Description description, Description parent, Class<?> type) {
        Set<Class<?>> categories = new HashSet<>(annotation.of(description));
        if (parent != null) {
            categories.addAll(annotation.of(parent));
        }
        if (type != null) {
            addInherited(type, categories);
        }
        Class<?> own = annotation.testClass(description);
        if (own != null) {
            categories.addAll(annotation.of(own));
        }
        return chooses(categories) || anyChild(description);
    }

    /** All of them where JUnit inherits categories; by the older rules those of the nearest class that has any. */
    private void addInherited(Class<?> type, Set<Class<?>> categories) {
        boolean isOver = !older && !annotation.isInherited;
        for (Class<?> above = type.getSuperclass(); above != null && !isOver; above = above.getSuperclass()) {
            categories.addAll(annotation.of(above));
            isOver = older && annotation.isOn(above);
        }
    }

    private boolean anyChild(Description description) {
        for (Description child : description.getChildren()) {
            if (shouldRun(child, description, null)) {
                return true;
            }
        }
        return false;
    }

    private boolean chooses(Set<Class<?>> categories) {
        return (included.isEmpty() || anyIn(included, categories)) && !anyIn(excluded, categories);
    }

    private static boolean anyIn(List<CategoryName> names, Set<Class<?>> categories) {
        for (CategoryName name : names) {
            if (name.isIn(categories)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String describe() {
        return "tests of the build's categories";
    }
}
