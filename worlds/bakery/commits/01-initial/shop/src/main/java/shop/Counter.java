package shop;

public class Counter {
    public String greeting() {
        return "Good morning";
    }
}
