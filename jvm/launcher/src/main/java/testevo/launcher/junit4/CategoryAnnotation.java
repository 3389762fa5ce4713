package testevo.launcher.junit4;

import java.lang.annotation.Annotation;
import java.lang.annotation.Inherited;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.runner.Description;

/** What JUnit 4.8 and later tell of categories, by reflection: older ones have neither the annotation nor its users. */
final class CategoryAnnotation {
    private final Class<? extends Annotation> type;
    private final Method value;
    private final Method testClass;
    private final Method methodName;
    /** Since 4.12. */
    final boolean isInherited;

    CategoryAnnotation() {
        try {
            type = Class.forName("org.junit.experimental.categories.Category").asSubclass(Annotation.class);
            value = type.getMethod("value");
            testClass = Description.class.getMethod("getTestClass");
            methodName = Description.class.getMethod("getMethodName");
        } catch (ReflectiveOperationException tooOld) {
            throw new IllegalStateException("the JUnit of the project has no categories", tooOld);
        }
        isInherited = type.isAnnotationPresent(Inherited.class);
    }

    List<Class<?>> of(Description description) {
        return of(description.getAnnotation(type));
    }

    /** Those of a class, and the inherited ones if it has none and they are inherited. */
    List<Class<?>> of(Class<?> annotated) {
        return of(annotated.getAnnotation(type));
    }

    boolean isOn(Class<?> annotated) {
        return annotated.getAnnotation(type) != null;
    }

    private List<Class<?>> of(Annotation found) {
        return found == null ? Collections.emptyList() : Arrays.asList((Class<?>[]) call(value, found));
    }

    /** Null where a description names no class. */
    Class<?> testClass(Description description) {
        return (Class<?>) call(testClass, description);
    }

    /** Null, or in some versions the text {@code null}, for a class. */
    String methodName(Description description) {
        return (String) call(methodName, description);
    }

    private static Object call(Method method, Object target) {
        try {
            return method.invoke(target);
        } catch (InvocationTargetException failure) {
            if (failure.getCause() instanceof Error) {
                throw (Error) failure.getCause();
            }
            throw new IllegalStateException(failure.getCause());
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
