package m;
import java.util.*;
public class Rows implements Iterable<String> {
    public Iterator<String> iterator() { return Collections.singleton("a").iterator(); }
}
