/**
 * Commands in pods, and their main processes, as {@code kubectl exec} and {@code kubectl attach}.
 *
 * <p>{@link dev.clientgo.remotecommand.RemoteCommand} runs a command and returns its output, or
 * starts it and returns a {@link dev.clientgo.remotecommand.RemoteProcess} that resembles {@link
 * java.lang.Process}.
 *
 * <p>Corresponds to client-go's {@code tools/remotecommand}.
 */
package dev.clientgo.remotecommand;
