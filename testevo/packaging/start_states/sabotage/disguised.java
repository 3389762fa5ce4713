// Fails as the launcher would: by an error of loading its classes, with a trace of its own frames only.
java.lang.BootstrapMethodError error = new java.lang.BootstrapMethodError("testevo.launcher.platform.BackEnd");
error.setStackTrace(new java.lang.StackTraceElement[] {
    new java.lang.StackTraceElement("testevo.launcher.Main", "run", "Main.java", 62),
    new java.lang.StackTraceElement("testevo.launcher.Main", "main", "Main.java", 38)
});
throw error;
