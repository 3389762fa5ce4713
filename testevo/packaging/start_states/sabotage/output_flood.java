byte[] line = new byte[1 << 20];
java.util.Arrays.fill(line, (byte) 'x');
for (int i = 0; i < 32; i++) {
    java.lang.System.out.write(line, 0, line.length);
    java.lang.System.err.write(line, 0, line.length);
}
java.lang.System.out.flush();
