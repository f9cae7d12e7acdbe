package dev.clientgo.remotecommand.portforward;

import dev.clientgo.apimachinery.errors.KubernetesException;

/**
 * The node could not connect to a port of a pod, or the connection between them broke. Most often
 * no program of the pod listens at the port. Or a service or a deployment has no pod that is ready.
 */
public final class PortForwardException extends KubernetesException {

  private static final long serialVersionUID = 1;

  private final String pod;
  private final int port;

  PortForwardException(PodTarget target, String pod, int port, String text) {
    super("port " + port + " of " + target.describe(pod) + ": " + text, null);
    this.pod = pod;
    this.port = port;
  }

  /** Returns the name of the pod; empty if none was found. */
  public String pod() {
    return pod;
  }

  /** Returns the port of the pod; if none was found, the port of the target. */
  public int port() {
    return port;
  }
}
