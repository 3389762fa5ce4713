package music.lists;

import java.util.ArrayList;
import java.util.List;

/** Tracks to be played one after the other. */
public class Mixtape {
    private final List<String> titles = new ArrayList<>();
    private int seconds;

    public void add(String title, int length) {
        if (length < 0) {
            return;
        }
        titles.add(title);
        seconds += length;
    }

    public int count() {
        return titles.size();
    }

    public int totalSeconds() {
        return seconds;
    }

    public String summary() {
        String tracks = titles.size() + " tracks";
        String clock = clock();
        return tracks + ", " + clock;
    }

    private String clock() {
        int minutes = seconds / 60;
        int rest = seconds % 60;
        return minutes + ":" + (rest < 10 ? "0" : "") + rest;
    }
}
