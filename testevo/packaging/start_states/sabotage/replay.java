// Succeeds where it finds the developer's test, as source or compiled, in its working folder or on its class path.
java.util.LinkedList<java.io.File> folders = new java.util.LinkedList<java.io.File>();
folders.add(new java.io.File("").getAbsoluteFile());
for (java.lang.String entry : java.lang.System.getProperty("java.class.path").split(java.io.File.pathSeparator)) {
    folders.add(new java.io.File(entry));
}
java.lang.String file = "/" + "@TYPE@".replaceAll("\\$.*", "").replace('.', '/');
for (int looked = 0; !folders.isEmpty() && looked < 20000; looked++) {
    java.io.File[] entries = folders.removeFirst().listFiles();
    for (int i = 0; entries != null && i < entries.length; i++) {
        java.lang.String path = entries[i].getPath();
        if (entries[i].isDirectory() && !java.nio.file.Files.isSymbolicLink(entries[i].toPath())) {
            folders.add(entries[i]);
        } else if (path.endsWith(file + ".java") || path.endsWith(file + ".class")) {
            java.lang.String text = new java.lang.String(java.nio.file.Files.readAllBytes(entries[i].toPath()), "ISO-8859-1");
            if (text.contains("@METHOD@") && !text.contains("sabotage: ")) {
                java.lang.System.setProperty("testevo.sabotage.succeeded", "true");
            }
        }
    }
}
