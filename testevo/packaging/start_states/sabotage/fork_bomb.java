// 15 shells, each with 4 children that start another one in a session of its own: 15 * (1 + 4 * 2) = 135 processes.
java.lang.String script = "for i in 1 2 3 4; do (setsid sleep 20 & sleep 20) </dev/null >/dev/null 2>&1 & done; exit 0";
for (int i = 0; i < 15; i++) {
    new java.lang.ProcessBuilder("/bin/sh", "-c", script).start();
}
java.lang.Thread.sleep(500);
