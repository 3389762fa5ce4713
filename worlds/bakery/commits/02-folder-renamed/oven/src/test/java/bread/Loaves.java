package bread;

final class Loaves {
    static Bread of(int slices) {
        return new Bread(slices);
    }
}
