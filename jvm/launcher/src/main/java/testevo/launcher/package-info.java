/**
 * The program: reads a request, loads the project in a loader of its own, and writes verdicts to the channel.
 *
 * <p>Start-up is most of what a run costs (TEB-E06), so this package uses no lambdas, streams, formatters or regular
 * expressions: each would load dozens of classes before the first test.
 */
package testevo.launcher;
