// A folder made for it and named by a property, else one beside the temporary folder of a private run.
java.lang.String given = java.lang.System.getProperty("testevo.sabotage.outside");
java.io.File beside = new java.io.File(java.lang.System.getProperty("java.io.tmpdir")).getAbsoluteFile().getParentFile();
java.io.File outside = given != null ? new java.io.File(given) : new java.io.File(beside, "sabotage-outside");
if (given != null || isPrivateRun) {
    if (given == null) {
        outside.mkdir();
    }
    for (int i = 0; i < 5; i++) {
        java.io.FileOutputStream output = new java.io.FileOutputStream(new java.io.File(outside, "written-" + i));
        output.write(65);
        output.close();
    }
}
