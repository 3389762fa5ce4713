/**
 * Tests that are run once to fill an archive of class data: they touch what tests of projects touch, in JUnit and in the
 * JDK, and some of them fail. Nothing reads their verdicts.
 */
package testevo.launcher.training;
