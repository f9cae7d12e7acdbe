/**
 * The logs of pods, as {@code kubectl logs}: as bytes, or as lines that survive cuts.
 *
 * <p>{@link dev.clientgo.remotecommand.logs.PodLogs} reads the log of one container, {@link
 * dev.clientgo.remotecommand.logs.SelectorLogs} those of all pods that a selector selects.
 */
package dev.clientgo.remotecommand.logs;
