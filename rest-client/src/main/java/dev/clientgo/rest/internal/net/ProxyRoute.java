package dev.clientgo.rest.internal.net;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.tls.Tls;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.util.Base64;
import okhttp3.OkHttpClient;
import okhttp3.Request;

/**
 * The proxy on the way to the server. The text form shows no password.
 *
 * @param url an http, https or socks5 URL
 * @param origin the place of its configuration, for messages
 */
public record ProxyRoute(URI url, String origin) {

  private static final String AUTHORIZATION = "Proxy-Authorization";

  public ProxyRoute {
    String scheme = String.valueOf(url.getScheme());
    if (url.getHost() == null
        || !(scheme.startsWith("socks5") || scheme.equals("http") || scheme.equals("https"))) {
      throw new ConfigException("the proxy is not an http, https or socks5 URL with a host");
    }
  }

  /** Sends the requests of a client through the proxy. */
  public void prepare(OkHttpClient.Builder client, RestConfig config, Timeouts timeouts) {
    String user = url.getUserInfo();
    if (isSocks() && user != null) {
      client.proxy(Proxy.NO_PROXY);
      client.socketFactory(new Socks5Sockets(url.getHost(), port(), url.getRawUserInfo()));
      client.dns(Socks5Sockets.BY_PROXY);
      return;
    }
    client.proxy(
        new Proxy(
            isSocks() ? Proxy.Type.SOCKS : Proxy.Type.HTTP,
            InetSocketAddress.createUnresolved(url.getHost(), port())));
    if (url.getScheme().equals("https")) {
      Tls tls = Tls.of(config, null, Tls.trust(config), timeouts.handshake());
      client.socketFactory(new TlsProxySockets(tls.factory(), config.insecure()));
    }
    if (user != null) {
      authenticate(client, user);
    }
  }

  /**
   * Sends the credentials for the proxy with the request for a tunnel, or else with each request,
   * because OkHttp would not repeat a request with a body.
   */
  private static void authenticate(OkHttpClient.Builder client, String user) {
    String basic = "Basic " + Base64.getEncoder().encodeToString(user.getBytes(UTF_8));
    client.proxyAuthenticator(
        (route, response) ->
            response.request().header(AUTHORIZATION) != null
                ? null
                : authenticated(response.request(), basic));
    client.addInterceptor(
        chain ->
            chain.proceed(
                chain.request().isHttps()
                    ? chain.request()
                    : authenticated(chain.request(), basic)));
  }

  private static Request authenticated(Request request, String basic) {
    return request.newBuilder().header(AUTHORIZATION, basic).build();
  }

  private boolean isSocks() {
    return url.getScheme().startsWith("socks5");
  }

  private int port() {
    if (url.getPort() >= 0) {
      return url.getPort();
    }
    return isSocks() ? 1080 : url.getScheme().equals("http") ? 80 : 443;
  }

  @Override
  public String toString() {
    return "the proxy "
        + url.getScheme()
        + "://"
        + url.getHost()
        + ":"
        + port()
        + " (of "
        + origin
        + ")";
  }
}
