java.util.List<byte[]> held = new java.util.ArrayList<byte[]>();
for (int i = 0; i < 512; i++) {
    byte[] piece = new byte[1 << 20];
    for (int at = 0; at < piece.length; at += 4096) {
        piece[at] = 1;
    }
    held.add(piece);
}
java.lang.System.out.println(held.size());
