java.io.File home = new java.io.File(java.lang.System.getProperty("user.home")).getAbsoluteFile();
java.io.File temporary = new java.io.File(java.lang.System.getProperty("java.io.tmpdir")).getAbsoluteFile();
// Private folders of a run have these names and lie side by side; on anybody's own machine nothing is touched.
boolean isPrivateRun = home.getName().equals("home") && temporary.getName().equals("tmp")
        && home.getParentFile().equals(temporary.getParentFile()) && home.getParentFile().getName().startsWith("run-");
