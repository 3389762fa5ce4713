package shapes;

class DiscTest extends ShapeContract {

    @Override
    Shape shape() {
        return new Disc(2);
    }
}
