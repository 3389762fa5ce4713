package w;

/** Says when it is initialised. */
public class Loud {
    static {
        System.out.println("initialised");
    }
}
