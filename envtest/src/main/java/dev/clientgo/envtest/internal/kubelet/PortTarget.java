package dev.clientgo.envtest.internal.kubelet;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.kubelet.FakeKubelet;
import dev.clientgo.envtest.kubelet.PortProgram;
import java.net.ConnectException;

/** The pod whose ports a client wants. */
record PortTarget(FakeKubelet kubelet, String namespace, String pod, String uid) {

  /**
   * Returns the program behind a port.
   *
   * @throws ConnectException if there is none
   */
  PortProgram program(int port) throws ConnectException {
    return kubelet
        .portProgram(namespace, pod, port)
        .orElseThrow(
            () ->
                new ConnectException(
                    "connection refused: no program, set one by kubelet().port(" + port + ", …)"));
  }

  String failure(int port, String why) {
    return "error forwarding port %d to pod %s, uid %s: %s".formatted(port, pod, uid, why);
  }

  /**
   * Parses a port.
   *
   * @throws ApiStatusException if it is none
   */
  static int port(String text) {
    try {
      int port = Integer.parseInt(text);
      if (port > 0 && port <= 0xffff) {
        return port;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw ApiStatusException.badRequest("unable to parse \"" + text + "\" as a port");
  }
}
