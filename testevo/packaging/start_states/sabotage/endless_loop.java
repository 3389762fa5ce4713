long start = java.lang.System.nanoTime();
while (java.lang.System.nanoTime() - start < 600000000000L) {
    try {
        java.lang.Thread.sleep(20);
    } catch (java.lang.InterruptedException ignored) {
        continue;
    }
}
