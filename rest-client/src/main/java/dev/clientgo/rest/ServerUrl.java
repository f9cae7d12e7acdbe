package dev.clientgo.rest;

import dev.clientgo.apimachinery.errors.ConfigException;
import okhttp3.HttpUrl;

/** How the address of a server is written: a URL, or a host with or without a port. */
final class ServerUrl {

  private ServerUrl() {}

  /**
   * Reads an address. Query and fragment are dropped, and the path, which a proxy in front of
   * several servers may need, ends with a slash.
   *
   * @param tls whether an address without a scheme means https
   * @throws ConfigException if it is no such address
   */
  static HttpUrl parse(String server, boolean tls) {
    if (server.isBlank()) {
      throw new ConfigException(
          "no server is configured: give a URL such as https://10.0.0.1:6443, or host:port");
    }
    boolean hasScheme = server.contains("://");
    HttpUrl url;
    try {
      url = HttpUrl.get(hasScheme ? server : (tls ? "https://" : "http://") + server);
    } catch (IllegalArgumentException e) {
      // The cause is left out: it repeats the address, which may hold a password.
      throw new ConfigException(
          "server " + withoutUserInfo(server) + " is neither an http(s) URL nor host:port");
    }
    if (!url.username().isEmpty() || !url.password().isEmpty()) {
      throw new ConfigException(
          "server "
              + withoutUserInfo(server)
              + " holds a user name or a password: configure basic authentication instead");
    }
    if (!hasScheme && url.pathSize() > 0 && !url.encodedPath().equals("/")) {
      throw new ConfigException(
          "server " + server + " has a path but no scheme: write " + url + " if that is meant");
    }
    String path = (url.encodedPath() + "/").replaceAll("/+", "/");
    return url.newBuilder().encodedPath(path).query(null).fragment(null).build();
  }

  private static String withoutUserInfo(String server) {
    int at = server.lastIndexOf('@');
    int scheme = server.indexOf("://");
    return at < 0
        ? server
        : server.substring(0, scheme < 0 ? 0 : scheme + 3) + "…" + server.substring(at);
  }
}
