/**
 * The call probe: instruments a project's classes so that every thread keeps a shadow stack of the project's methods.
 *
 * <p>The rules for what counts as called directly are in docs/jvm.md. All classes but {@link testevo.probe.Agent} are
 * loaded by the bootstrap loader, where the classes of every project loader can see them. They call nothing that a
 * project can replace, and keep no object of it.
 */
package testevo.probe;
