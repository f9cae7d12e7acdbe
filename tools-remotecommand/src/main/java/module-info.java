/**
 * Streams to and from pods, commands and terminals, over WebSockets, logs, the ports of pods, and
 * copies of files.
 *
 * <p>Corresponds to client-go's {@code tools/remotecommand}.
 */
@org.jspecify.annotations.NullMarked
module dev.clientgo.remotecommand {
  requires static com.google.errorprone.annotations;
  requires transitive dev.clientgo.kubernetes;

  exports dev.clientgo.remotecommand;
  exports dev.clientgo.remotecommand.copy;
  exports dev.clientgo.remotecommand.logs;
  exports dev.clientgo.remotecommand.portforward;
}
