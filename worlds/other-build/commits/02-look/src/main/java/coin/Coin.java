package coin;

/** Shows heads or tails. */
public class Coin {
    private boolean heads = true;

    public boolean heads() {
        return heads;
    }

    public void flip() {
        heads = !heads;
    }
}
