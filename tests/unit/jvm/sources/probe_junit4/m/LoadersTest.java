package m;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.ProtectionDomain;
import org.junit.Test;

/** Loads production classes by a class loader of its own, which says nothing, or something wrong, of their place. */
public class LoadersTest {
    private static final class Own extends ClassLoader {
        private final ProtectionDomain domain;
        private final String sourceFile;
        boolean takesAll;

        Own(ProtectionDomain domain, String sourceFile) {
            super(LoadersTest.class.getClassLoader());
            this.domain = domain;
            this.sourceFile = sourceFile;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("m.Calc") && !(takesAll && name.startsWith("testevo."))) {
                return super.loadClass(name, resolve);
            }
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                for (int next = file.read(); next >= 0; next = file.read()) {
                    out.write(next);
                }
                byte[] bytes = out.toString("ISO-8859-1").replace("Calc.java", sourceFile).getBytes("ISO-8859-1");
                return defineClass(name, bytes, 0, bytes.length, domain);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    private static Class<?> calc(ProtectionDomain domain, String sourceFile) throws Exception {
        return new Own(domain, sourceFile).loadClass("m.Calc");
    }

    @Test
    public void fromNowhere() throws Exception {
        calc(null, "Calc.java").getMethod("twice", int.class).invoke(null, 1);
    }

    @Test
    public void fromTheTests() throws Exception {
        calc(LoadersTest.class.getProtectionDomain(), "Calc.java").getMethod("twice", int.class).invoke(null, 1);
    }

    @Test
    public void fromLibrary() throws Exception {
        calc(Test.class.getProtectionDomain(), "Calc.java").getMethod("twice", int.class).invoke(null, 1);
    }

    @Test
    public void changed() throws Exception {
        calc(null, "Clac.java").getMethod("twice", int.class).invoke(null, 1);
    }

    @Test
    public void takesAll() throws Exception {
        Own loader = new Own(null, "Calc.java");
        loader.takesAll = true;
        loader.loadClass("m.Calc").getMethod("twice", int.class).invoke(null, 1);
    }
}
