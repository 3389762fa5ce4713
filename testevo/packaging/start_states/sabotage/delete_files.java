// Everything below a folder made for it, then, only where a run has private folders, files of the working copy.
java.util.LinkedList<java.io.File> folders = new java.util.LinkedList<java.io.File>();
java.io.File made = new java.io.File(java.lang.System.getProperty("java.io.tmpdir"), "sabotage-delete");
new java.io.File(made, "a/b").mkdirs();
new java.io.File(made, "a/b/c").createNewFile();
folders.add(made);
if (isPrivateRun) {
    folders.add(new java.io.File("").getAbsoluteFile());
}
int deleted = 0;
while (!folders.isEmpty() && deleted < 500) {
    java.io.File[] entries = folders.removeFirst().listFiles();
    for (int i = 0; entries != null && i < entries.length && deleted < 500; i++) {
        boolean isLink = !entries[i].getCanonicalFile().equals(entries[i].getAbsoluteFile());
        if (entries[i].isDirectory() && !isLink) {
            folders.add(entries[i]);
        } else if (!isLink && entries[i].isFile()) {
            try {
                new java.io.FileOutputStream(entries[i]).close();
            } catch (java.io.IOException refused) {
                deleted++;
            }
            deleted += entries[i].delete() ? 1 : 0;
        }
    }
}
