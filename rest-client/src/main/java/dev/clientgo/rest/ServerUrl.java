package dev.clientgo.rest;

import dev.clientgo.apimachinery.errors.ConfigException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * Where a server is, by an address as people write it: a URL, or a host with or without a port. The
 * text form shows no password.
 *
 * <p>Corresponds to client-go's {@code rest.DefaultServerURL} and what Go's HTTP client makes of
 * its answer.
 *
 * @param url without a user, a query and a fragment; its path, which a proxy in front of several
 *     servers may need, ends with a slash
 * @param zone the interface by which a link-local address is reached, null if none is named
 * @param username who we are by the address, empty for nobody
 * @param password what goes with the name
 */
record ServerUrl(HttpUrl url, @Nullable String zone, String username, String password) {

  /** An address of IPv6 with a zone, whose percent sign is written as in RFC 6874. */
  private static final Pattern ZONED =
      Pattern.compile("([^/?#]+//[^/?#]*\\[[0-9A-Fa-f:.]+)%25([A-Za-z0-9._~-]+)(\\].*)");

  /** OkHttp would read these, too, and Go does not. */
  private static final Pattern LENIENT = Pattern.compile(".*:///.*|[^?#]*\\\\.*");

  /**
   * Reads an address.
   *
   * @param tls whether an address without a scheme means https
   * @throws ConfigException if it is no such address
   */
  static ServerUrl parse(String server, boolean tls) {
    if (server.isBlank()) {
      throw new ConfigException(
          "no server is configured: give a URL such as https://10.0.0.1:6443, or host:port");
    }
    boolean hasScheme = server.contains("://");
    String address = hasScheme ? server : (tls ? "https://" : "http://") + server;
    Matcher zoned = ZONED.matcher(address);
    boolean hasZone = zoned.matches();
    HttpUrl url = url(hasZone ? zoned.group(1) + zoned.group(3) : address, server);
    HttpUrl bare = url.newBuilder().username("").password("").query(null).fragment(null).build();
    if (!hasScheme && !bare.encodedPath().equals("/")) {
      throw new ConfigException(
          "server "
              + withoutUserInfo(server)
              + " has a path but no scheme: write "
              + bare
              + " if that is meant");
    }
    return new ServerUrl(
        cleaned(bare), hasZone ? zoned.group(2) : null, url.username(), url.password());
  }

  private static HttpUrl url(String address, String server) {
    HttpUrl url = LENIENT.matcher(address).matches() ? null : HttpUrl.parse(address);
    if (url == null) {
      // No cause: it repeats the address, which may hold a password.
      throw new ConfigException(
          "server " + withoutUserInfo(server) + " is neither an http(s) URL nor host:port");
    }
    return url;
  }

  /** As upstream, a slash in the path is one, be it escaped or not, and several are one. */
  private static HttpUrl cleaned(HttpUrl url) {
    String path = (String.join("/", url.pathSegments()) + "/").replaceAll("/+", "/");
    return url.newBuilder()
        .encodedPath("/")
        .addPathSegments(path.startsWith("/") ? path.substring(1) : path)
        .build();
  }

  /** Returns an address as it may be shown. */
  static String withoutUserInfo(String server) {
    int at = server.lastIndexOf('@');
    int scheme = server.indexOf("://");
    return at < 0
        ? server
        : server.substring(0, scheme < 0 ? 0 : scheme + 3) + "…" + server.substring(at);
  }

  /** Returns whether the address says who we are. */
  boolean hasUser() {
    return !username.isEmpty() || !password.isEmpty();
  }

  /** Returns the host with its port. */
  static String hostAndPort(HttpUrl url) {
    String host = url.host();
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + url.port();
  }

  /** Returns the address, with its zone. */
  @Override
  public String toString() {
    return zone == null ? url.toString() : url.toString().replaceFirst("\\]", "%25" + zone + "]");
  }
}
