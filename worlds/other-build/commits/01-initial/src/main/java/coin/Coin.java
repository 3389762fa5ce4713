package coin;

/** Shows heads or tails. */
public class Coin {
    private boolean heads = true;

    public void flip() {
        heads = !heads;
    }
}
