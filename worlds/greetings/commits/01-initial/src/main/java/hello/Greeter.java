package hello;

/** Greets people. */
public class Greeter {

    public String greet(String name) {
        return "Hello, " + name;
    }
}
