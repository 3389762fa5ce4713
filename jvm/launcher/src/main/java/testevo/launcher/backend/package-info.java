/** What the back ends share. Lives in the project's loader; events leave it as maps of JDK types only. */
package testevo.launcher.backend;
