package music.lists;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class MixtapeTest {

    @Test
    public void addsUpLengths() {
        Mixtape playlist = new Mixtape();
        playlist.add("Intro", 60);
        playlist.add("Outro", 30);
        assertEquals(90, playlist.totalSeconds());
    }

    @Test
    public void countsTracks() {
        Mixtape tape = new Mixtape();
        tape.add("Intro", 60);
        assertEquals(1, tape.count());
    }

    @Test
    public void summarisesSeveralTracks() {
        Mixtape playlist = new Mixtape();
        playlist.add("Intro", 60);
        playlist.add("Outro", 65);
        assertEquals("2 tracks, 2:05", playlist.summary());
    }

    @Test
    public void negativeLength() {
        Mixtape playlist = new Mixtape();
        playlist.add("Hiss", -1);
        assertEquals(0, playlist.count());
    }
}
