package s;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

public class Sessions implements LauncherSessionListener {
    static String seen = "";

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        seen += "opened ";
    }

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        System.out.println(seen + "closed");
    }
}
