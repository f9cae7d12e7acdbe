package dev.clientgo.rest.internal.net;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.config.RestConfig;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * Finds the proxy of a server in the environment: {@code HTTPS_PROXY} or {@code HTTP_PROXY} by the
 * scheme of the server, and {@code NO_PROXY} for servers without a proxy. Each name may be in upper
 * or lower case.
 *
 * <p>{@code NO_PROXY} is a list of hosts ({@code example.com} includes its subdomains, {@code
 * .example.com} is only the subdomains), addresses and networks such as {@code 10.0.0.0/8}; all but
 * networks may have a port; {@code *} means all servers. Loopback addresses need no proxy.
 *
 * <p>Corresponds to Go's {@code http.ProxyFromEnvironment} and apimachinery's {@code
 * NewProxierWithNoProxyCIDR}.
 */
public final class Proxies {

  private static final Set<String> SCHEMES = Set.of("http", "https", "socks5", "socks5h");

  private final Map<String, String> environment;

  public Proxies(Map<String, String> environment) {
    this.environment = environment;
  }

  /** Returns the proxy of a client: the configured one, else that of the environment, else null. */
  public @Nullable ProxyRoute route(RestConfig config, HttpUrl server) {
    URI configured = config.proxy();
    return configured != null
        ? new ProxyRoute(configured, "proxy-url")
        : find(server).map(url -> new ProxyRoute(url, "the environment")).orElse(null);
  }

  /** Returns whether the environment sets a proxy for servers of this scheme. */
  public boolean isConfigured(HttpUrl server) {
    return !proxy(server).isEmpty();
  }

  /**
   * Returns the proxy of a server, empty if it needs none.
   *
   * @throws ConfigException if the environment variable is not a URL
   */
  Optional<URI> find(HttpUrl server) {
    String proxy = proxy(server);
    return proxy.isEmpty() || isExcluded(server)
        ? Optional.empty()
        : Optional.of(parse(proxy, server.isHttps() ? "HTTPS_PROXY" : "HTTP_PROXY"));
  }

  private String proxy(HttpUrl server) {
    // In a CGI program, HTTP_PROXY is the header "Proxy" of the request.
    return server.isHttps()
        ? get("HTTPS_PROXY")
        : get("REQUEST_METHOD").isEmpty() ? get("HTTP_PROXY") : "";
  }

  private String get(String name) {
    String value = environment.getOrDefault(name, "");
    return value.isEmpty() ? environment.getOrDefault(name.toLowerCase(Locale.ROOT), "") : value;
  }

  private static URI parse(String proxy, String variable) {
    return url(proxy)
        .or(() -> url("http://" + proxy))
        .orElseThrow(
            () ->
                new ConfigException(
                    "the environment variable "
                        + variable
                        + " is not an http, https or socks5 URL with a host"));
  }

  /** A value that is not a URL is never shown, because it may contain a password. */
  private static Optional<URI> url(String text) {
    try {
      URI uri = new URI(text);
      return uri.getHost() != null && SCHEMES.contains(String.valueOf(uri.getScheme()))
          ? Optional.of(uri)
          : Optional.empty();
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  private boolean isExcluded(HttpUrl server) {
    String host = server.host().toLowerCase(Locale.ROOT);
    Optional<InetAddress> address = address(host);
    if (host.equals("localhost") || address.map(InetAddress::isLoopbackAddress).orElse(false)) {
      return true;
    }
    for (String entry : get("NO_PROXY").toLowerCase(Locale.ROOT).split(",", -1)) {
      if (fits(entry.strip(), host, address, server.port())) {
        return true;
      }
    }
    return false;
  }

  private static boolean fits(String entry, String host, Optional<InetAddress> address, int port) {
    if (entry.isEmpty() || entry.equals("*")) {
      return !entry.isEmpty();
    }
    if (entry.indexOf('/') >= 0) {
      return address.isPresent() && isInNetwork(address.get(), entry);
    }
    String name = entry;
    int colon = entry.lastIndexOf(':');
    boolean hasPort = colon >= 0 && (entry.indexOf(':') == colon || entry.startsWith("["));
    if (hasPort && colon > entry.lastIndexOf(']')) {
      if (!entry.substring(colon + 1).equals(Integer.toString(port))) {
        return false;
      }
      name = entry.substring(0, colon);
    }
    Optional<InetAddress> excluded = address(name);
    if (excluded.isPresent()) {
      return excluded.equals(address);
    }
    String domain = name.startsWith("*.") ? name.substring(1) : name;
    return domain.startsWith(".")
        ? host.endsWith(domain)
        : host.equals(domain) || host.endsWith("." + domain);
  }

  /** Returns the IP address that a text is, without a DNS lookup. */
  private static Optional<InetAddress> address(String text) {
    String bare =
        text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
    boolean numeric =
        bare.matches("[0-9]+(\\.[0-9]+){3}") || bare.matches("[0-9a-f:.]*:[0-9a-f:.]*");
    try {
      return numeric ? Optional.of(InetAddress.getByName(bare)) : Optional.empty();
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  private static boolean isInNetwork(InetAddress address, String network) {
    int slash = network.indexOf('/');
    Optional<InetAddress> base = address(network.substring(0, slash));
    String length = network.substring(slash + 1);
    byte[] bytes = address.getAddress();
    if (base.isEmpty()
        || base.get().getAddress().length != bytes.length
        || !length.matches("[0-9]{1,3}")) {
      return false;
    }
    int rest = bytes.length * 8 - Integer.parseInt(length);
    return rest >= 0
        && new BigInteger(1, bytes)
            .shiftRight(rest)
            .equals(new BigInteger(1, base.get().getAddress()).shiftRight(rest));
  }
}
