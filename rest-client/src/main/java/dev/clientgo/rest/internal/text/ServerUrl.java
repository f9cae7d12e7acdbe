package dev.clientgo.rest.internal.text;

import dev.clientgo.apimachinery.errors.ConfigException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * The URL of a server, read from a URL or from a host with or without a port. The text form shows
 * no password.
 *
 * <p>Corresponds to client-go's {@code rest.DefaultServerURL} with the parsing of Go's HTTP client.
 *
 * @param url the URL without user, query and fragment; its path ends with a slash
 * @param zone the network interface of a link-local address, null for none
 * @param username the user of the URL, empty for none
 * @param password the password of the URL, empty for none
 */
public record ServerUrl(HttpUrl url, @Nullable String zone, String username, String password) {

  /** An IPv6 address with a zone, whose percent sign is escaped as in RFC 6874. */
  private static final Pattern ZONED =
      Pattern.compile("([^/?#]+//[^/?#]*\\[[0-9A-Fa-f:.]+)%25([A-Za-z0-9._~-]+)(\\].*)");

  /** URLs that OkHttp accepts and Go does not. */
  private static final Pattern LENIENT = Pattern.compile("(?s).*:///.*|[^?#]*\\\\.*");

  /**
   * Reads an address.
   *
   * @param tls whether the default scheme is https
   * @throws ConfigException if it is not a URL of a server
   */
  public static ServerUrl parse(String server, boolean tls) {
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
      // No cause: its message repeats the URL, which may contain a password.
      throw new ConfigException(
          "server " + withoutUserInfo(server) + " is neither an http(s) URL nor host:port");
    }
    return url;
  }

  /** As in client-go, an escaped slash is a slash, and several slashes are one. */
  private static HttpUrl cleaned(HttpUrl url) {
    String path = (String.join("/", url.pathSegments()) + "/").replaceAll("/+", "/");
    return url.newBuilder()
        .encodedPath("/")
        .addPathSegments(path.startsWith("/") ? path.substring(1) : path)
        .build();
  }

  /** Returns a URL without its user. */
  public static String withoutUserInfo(String server) {
    int at = server.lastIndexOf('@');
    int scheme = server.indexOf("://");
    return at < 0
        ? server
        : server.substring(0, scheme < 0 ? 0 : scheme + 3) + "…" + server.substring(at);
  }

  /** Returns whether the URL has a user. */
  public boolean hasUser() {
    return !username.isEmpty() || !password.isEmpty();
  }

  /** Returns the host with its port. */
  public static String hostAndPort(HttpUrl url) {
    String host = url.host();
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + url.port();
  }

  /** Returns the address, with its zone. */
  @Override
  public String toString() {
    return zone == null ? url.toString() : url.toString().replaceFirst("\\]", "%25" + zone + "]");
  }
}
