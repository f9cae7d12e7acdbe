/**
 * The logs of pods, as {@code kubectl logs}: as bytes, or as lines that survive cuts.
 *
 * <p>{@link dev.clientgo.remotecommand.logs.PodLogs} reads the log of one container.
 */
package dev.clientgo.remotecommand.logs;
