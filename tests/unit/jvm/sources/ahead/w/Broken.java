package w;

/** Cannot be initialised. */
public class Broken {
    static final int NONE = Integer.parseInt("none");
}
