package dev.clientgo.remotecommand.portforward;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.intstr.IntOrString;

/**
 * The node could not connect to a port of a pod, or the connection between them broke. Most often
 * no program of the pod listens at the port. Or a service or a deployment has no pod that is ready.
 */
public final class PortForwardException extends KubernetesException {

  private static final long serialVersionUID = 1;

  private final String pod;
  private final int port;

  PortForwardException(String subject, String pod, IntOrString port, String text) {
    super("port " + port + " of " + subject + ": " + text, null);
    this.pod = pod;
    this.port = port.number().orElse(0);
  }

  /** Returns the name of the pod; empty if none was found. */
  public String pod() {
    return pod;
  }

  /**
   * Returns the port of the pod; if none was found, the port of the target, or 0 if that has only a
   * name.
   */
  public int port() {
    return port;
  }
}
