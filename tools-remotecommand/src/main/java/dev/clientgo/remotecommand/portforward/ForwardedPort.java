package dev.clientgo.remotecommand.portforward;

import dev.clientgo.apimachinery.intstr.IntOrString;

/**
 * A port of this machine and the port that its connections go to.
 *
 * <p>Corresponds to client-go's {@code portforward.ForwardedPort}. Unlike client-go, where {@code
 * kubectl} translates names, the remote port may be a name.
 *
 * @param local the port of this machine; 0 for any that is free
 * @param remote the port of the pod, or of the service: a number, or its name there
 */
public record ForwardedPort(int local, IntOrString remote) {

  private static final int MAX = 0xffff;
  private static final String NUMBER = "[0-9]{1,5}";
  private static final String NAME = "(?=.{1,63}$)(?=.*[a-z])[a-z0-9]([a-z0-9-]*[a-z0-9])?";

  /**
   * Checks the numbers and the name.
   *
   * @throws IllegalArgumentException if one of them is no port
   */
  public ForwardedPort {
    if (local < 0 || local > MAX) {
      throw new IllegalArgumentException("the local port is not from 0 to 65535: " + local);
    }
    checkRemote(remote);
  }

  /**
   * Creates one to a port with a number.
   *
   * @throws IllegalArgumentException if one of the numbers is no port
   */
  public ForwardedPort(int local, int remote) {
    this(local, IntOrString.of(remote));
  }

  static IntOrString checkRemote(IntOrString port) {
    port.number()
        .ifPresentOrElse(
            number -> {
              if (number < 1 || number > MAX) {
                throw new IllegalArgumentException(
                    "the port of a pod is not from 1 to 65535: " + number);
              }
            },
            () -> {
              if (!isName(port.toString())) {
                throw new IllegalArgumentException("\"" + port + "\" is no name of a port");
              }
            });
    return port;
  }

  /** Returns whether a text can be the name of a port of a container or a service. */
  static boolean isName(String text) {
    return text.matches(NAME);
  }

  /**
   * Reads the notation of {@code kubectl}: {@code 8080:80} or {@code 8080:http}, {@code 80} for the
   * same port on both sides, {@code :80} or {@code :http} for any local port that is free.
   *
   * @throws IllegalArgumentException if the text is not in this notation, or is a name alone, whose
   *     number only {@link PortForward#listen(String...)} looks up
   */
  public static ForwardedPort parse(String text) {
    int colon = text.indexOf(':');
    String local = colon <= 0 ? "" : text.substring(0, colon);
    String remote = text.substring(colon + 1);
    if (remote.matches(NUMBER) && (local.isEmpty() || local.matches(NUMBER))) {
      int port = Integer.parseInt(remote);
      return new ForwardedPort(
          colon < 0 ? port : local.isEmpty() ? 0 : Integer.parseInt(local), port);
    }
    if (colon >= 0 && isName(remote) && (local.isEmpty() || local.matches(NUMBER))) {
      return new ForwardedPort(
          local.isEmpty() ? 0 : Integer.parseInt(local), IntOrString.of(remote));
    }
    throw new IllegalArgumentException(
        "\"" + text + "\" is no forwarded port, such as 8080:80, 8080:http, 80, or :80");
  }

  /** Returns the notation of {@code kubectl}. */
  @Override
  public String toString() {
    return local + ":" + remote;
  }
}
