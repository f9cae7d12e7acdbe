package dev.clientgo.envtest.internal.kubelet;

import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.List;

/**
 * A command that a client wants to run in a container.
 *
 * @param command the program and its arguments; empty to attach to the main process
 */
record CommandRequest(
    String namespace,
    String pod,
    String container,
    List<String> command,
    boolean stdin,
    boolean stdout,
    boolean stderr,
    boolean terminal) {

  static CommandRequest of(ApiRequest request, String namespace, String pod, String container) {
    return new CommandRequest(
        namespace,
        pod,
        container,
        List.copyOf(request.query().getOrDefault("command", List.of())),
        flag(request, "stdin", "input"),
        flag(request, "stdout", "output"),
        flag(request, "stderr", "error"),
        flag(request, "tty", "tty"));
  }

  /** The API server and the kubelet name the parameters differently. */
  private static boolean flag(ApiRequest request, String name, String kubeletName) {
    String value = request.query(name).isEmpty() ? request.query(kubeletName) : request.query(name);
    return value.equals("true") || value.equals("1");
  }

  boolean hasStreams() {
    return stdin || stdout || stderr;
  }
}
