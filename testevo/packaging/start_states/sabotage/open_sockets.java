// Only to a listener that it starts itself on the loopback interface; all are left open.
java.net.InetAddress loopback = java.net.InetAddress.getByName("127.0.0.1");
final java.net.ServerSocket listener = new java.net.ServerSocket(0, 50, loopback);
java.util.List<java.net.Socket> open = new java.util.ArrayList<java.net.Socket>();
for (int i = 0; i < 20; i++) {
    java.net.Socket socket = new java.net.Socket(loopback, listener.getLocalPort());
    socket.getOutputStream().write(65);
    open.add(socket);
}
java.lang.Thread waiting = new java.lang.Thread() {
    @java.lang.Override
    public void run() {
        for (int i = 0; i < 600; i++) {
            try {
                listener.accept();
                java.lang.Thread.sleep(1000);
            } catch (java.lang.Exception ignored) {
                continue;
            }
        }
    }
};
waiting.start();
