/**
 * Whether objects of any kind do their work, by the rules of kstatus: {@link
 * dev.clientgo.apimachinery.readiness.Readiness}.
 *
 * <pre>{@code
 * Readiness readiness = Readiness.of(deployment);
 * if (!readiness.isReady()) {
 *   logger.log(Level.INFO, readiness.message());
 * }
 * }</pre>
 */
package dev.clientgo.apimachinery.readiness;
