package dev.clientgo.remotecommand.portforward;

/**
 * A port of this machine and the port that its connections go to.
 *
 * <p>Corresponds to client-go's {@code portforward.ForwardedPort}.
 *
 * @param local the port of this machine; 0 for any that is free
 * @param remote the port of the pod, or of the service
 */
public record ForwardedPort(int local, int remote) {

  private static final int MAX = 0xffff;

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one of them is no port
   */
  public ForwardedPort {
    if (local < 0 || local > MAX) {
      throw new IllegalArgumentException("the local port is not from 0 to 65535: " + local);
    }
    checkRemote(remote);
  }

  static int checkRemote(int port) {
    if (port < 1 || port > MAX) {
      throw new IllegalArgumentException("the port of a pod is not from 1 to 65535: " + port);
    }
    return port;
  }

  /**
   * Reads the notation of {@code kubectl}: {@code 8080:80}, or {@code 80} for the same port on both
   * sides, or {@code :80} for any local port that is free.
   *
   * @throws IllegalArgumentException if the text is not in this notation
   */
  public static ForwardedPort parse(String text) {
    if (!text.matches("([0-9]{0,5}:)?[0-9]{1,5}")) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is no forwarded port, such as 8080:80, 80, or :80");
    }
    int colon = text.indexOf(':');
    int remote = Integer.parseInt(text.substring(colon + 1));
    if (colon < 0) {
      return new ForwardedPort(remote, remote);
    }
    return new ForwardedPort(colon == 0 ? 0 : Integer.parseInt(text.substring(0, colon)), remote);
  }

  /** Returns the notation of {@code kubectl}. */
  @Override
  public String toString() {
    return local + ":" + remote;
  }
}
