package dev.clientgo.rest.internal.http;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.errors.TransportException.Kind;
import dev.clientgo.rest.config.PemSource;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.net.ProxyRoute;
import dev.clientgo.rest.internal.text.ServerUrl;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import okhttp3.HttpUrl;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;

/** Explains connection errors in one sentence, with the likely remedy. */
public final class TransportErrors {

  private TransportErrors() {}

  /** Returns the method and the URL of a request, without the query. */
  static String describe(Request request) {
    return describe(request.method(), request.url());
  }

  /** Returns a method and a URL, without the query. */
  public static String describe(String method, HttpUrl url) {
    return method + " " + url.newBuilder().query(null).build();
  }

  /** Returns the error of a request whose client was closed. */
  static TransportException clientClosed(String request, @Nullable Exception cause) {
    return new TransportException(Kind.CLIENT_CLOSED, request + ": the client was closed", cause);
  }

  /**
   * Explains why there is no response.
   *
   * @param clientCertificate why the server may reject the client certificate, empty if it is valid
   */
  static TransportException whileSending(
      IOException e,
      Request request,
      RestConfig config,
      @Nullable ProxyRoute proxy,
      String clientCertificate) {
    Explanation explanation =
        Optional.ofNullable(proxy)
            .flatMap(route -> atProxy(e, route, request.url()))
            .orElseGet(() -> explain(e, request.url(), config, clientCertificate));
    return new TransportException(
        explanation.kind, describe(request) + ": " + explanation.sentence, e);
  }

  /** Explains why a response is incomplete. */
  static TransportException whileReading(IOException e, Request request, long bytes) {
    boolean timeout = e instanceof InterruptedIOException;
    return new TransportException(
        timeout ? Kind.TIMEOUT : Kind.CONNECTION_LOST,
        describe(request)
            + ": the response "
            + (timeout ? "stopped" : "broke off")
            + " after "
            + bytes
            + " bytes"
            + detail(e),
        e);
  }

  private record Explanation(Kind kind, String sentence) {}

  /** Explains an error of the proxy, empty if the error is not the proxy's. */
  private static Optional<Explanation> atProxy(IOException e, ProxyRoute proxy, HttpUrl url) {
    String message = String.valueOf(e.getMessage());
    String server = ServerUrl.hostAndPort(url);
    if (find(e, UnknownHostException.class).isPresent()) {
      return Optional.of(
          new Explanation(Kind.UNKNOWN_HOST, proxy + " has a host name without an address"));
    }
    // The SOCKS client of the JDK wraps it in another exception.
    if (message.startsWith("Connection refused")
        || (find(e, ConnectException.class).isPresent()
            && find(e, SocketTimeoutException.class).isEmpty())) {
      return Optional.of(
          new Explanation(
              Kind.CONNECTION_REFUSED,
              "nothing listens at " + proxy + ": is it up, and is this its address?"));
    }
    if (message.startsWith("Failed to authenticate with proxy")) {
      return Optional.of(
          new Explanation(
              Kind.OTHER,
              proxy
                  + " requires a valid user name and password: write them as in"
                  + " http://user:password@host"));
    }
    if (message.startsWith("Unexpected response code for CONNECT")
        || message.startsWith("SOCKS:")
        || message.startsWith("Malformed reply from SOCKS")) {
      return Optional.of(
          new Explanation(
              Kind.OTHER,
              proxy + " does not connect to " + server + detail(e) + ": ask its operator"));
    }
    return Optional.empty();
  }

  private static Explanation explain(
      IOException e, HttpUrl url, RestConfig config, String clientCertificate) {
    String origin = url.scheme() + "://" + ServerUrl.hostAndPort(url);
    if (find(e, UnknownHostException.class).isPresent()) {
      return new Explanation(
          Kind.UNKNOWN_HOST,
          "the host name " + url.host() + " has no address: check the server URL and the DNS");
    }
    if (e instanceof SocketTimeoutException || e instanceof InterruptedIOException) {
      return new Explanation(Kind.TIMEOUT, "no response from " + origin + " in time");
    }
    if (find(e, NoRouteToHostException.class).isPresent()) {
      return new Explanation(Kind.OTHER, "there is no route to " + origin);
    }
    if (find(e, ConnectException.class).isPresent()) {
      return refused(e, origin);
    }
    if (find(e, SSLException.class).isPresent()) {
      return tls(e, url, config, clientCertificate);
    }
    if (isLost(e)) {
      return new Explanation(
          Kind.CONNECTION_LOST,
          "the connection to "
              + origin
              + " was closed before a response arrived"
              + detail(e)
              + perhaps(clientCertificate));
    }
    if (e instanceof ProtocolException) {
      return new Explanation(
          Kind.OTHER,
          "the server at "
              + origin
              + " does not speak HTTP"
              + (url.isHttps() ? "" : "; if it speaks TLS, use an https URL")
              + detail(e));
    }
    return new Explanation(Kind.OTHER, "no response from " + origin + detail(e));
  }

  /** A server may reject a certificate by closing the connection without a reason. */
  private static String perhaps(String clientCertificate) {
    return clientCertificate.isEmpty() ? "" : "; " + clientCertificate;
  }

  private static Explanation refused(IOException e, String origin) {
    if (find(e, SocketTimeoutException.class).isPresent()) {
      return new Explanation(Kind.TIMEOUT, "no connection to " + origin + " in time");
    }
    return new Explanation(
        Kind.CONNECTION_REFUSED,
        "nothing listens at " + origin + ": is the API server up, and is this its address?");
  }

  /** Returns whether the server has certainly not started to process the request. */
  static boolean isNotBegun(IOException e) {
    String type = e.getClass().getSimpleName();
    // ConnectionShutdownException: the server is closing the connection, and nothing was sent.
    return (type.equals("StreamResetException")
            && String.valueOf(e.getMessage()).contains("REFUSED_STREAM"))
        || type.equals("ConnectionShutdownException");
  }

  private static boolean isLost(IOException e) {
    // OkHttp does not export its exceptions for reset streams and closed connections.
    String type = e.getClass().getSimpleName();
    return find(e, EOFException.class).isPresent()
        || e instanceof SocketException
        || type.equals("ConnectionShutdownException")
        || type.equals("StreamResetException")
        || String.valueOf(e.getMessage()).startsWith("unexpected end of stream");
  }

  private static Explanation tls(
      IOException e, HttpUrl url, RestConfig config, String clientCertificate) {
    Optional<SSLPeerUnverifiedException> wrongName = find(e, SSLPeerUnverifiedException.class);
    if (wrongName.isPresent()) {
      String expected = config.tlsServerName() == null ? url.host() : config.tlsServerName();
      return new Explanation(
          Kind.CERTIFICATE,
          "the server's certificate is not for "
              + expected
              + names(wrongName.get())
              + ": use one of its names in the server URL, or set the TLS server name");
    }
    if (find(e, CertificateExpiredException.class).isPresent()) {
      return new Explanation(Kind.CERTIFICATE, "the server's certificate has expired" + deepest(e));
    }
    if (find(e, CertificateNotYetValidException.class).isPresent()) {
      return new Explanation(
          Kind.CERTIFICATE,
          "the server's certificate is not valid yet: is the clock of this machine right?"
              + deepest(e));
    }
    if (find(e, CertPathBuilderException.class).isPresent()) {
      return new Explanation(
          Kind.CERTIFICATE,
          "the server's certificate is not signed by an authority that is trusted ("
              + trusted(config)
              + ")");
    }
    if (find(e, CertificateException.class).isPresent()) {
      return new Explanation(
          Kind.CERTIFICATE,
          "the server's certificate is not accepted"
              + deepest(e)
              + "; authorities: "
              + trusted(config));
    }
    return handshake(e, url, clientCertificate);
  }

  private static Explanation handshake(IOException e, HttpUrl url, String clientCertificate) {
    String message = String.valueOf(e.getMessage());
    if (message.contains("Unsupported or unrecognized SSL message")) {
      return new Explanation(
          Kind.OTHER,
          "the server at port "
              + url.port()
              + " does not speak TLS: if that is intended, use an http URL");
    }
    // Newer JDKs put the name of the alert in front.
    if (message.contains("Received fatal alert")) {
      return new Explanation(
          Kind.CERTIFICATE,
          "the server refused the TLS handshake"
              + detail(e)
              + ": "
              + (clientCertificate.isEmpty()
                  ? "if it requires a client certificate, configure one that it trusts"
                  : clientCertificate));
    }
    if (isEndOfStream(e)) {
      return new Explanation(
          Kind.CONNECTION_LOST,
          "the server closed the connection during the TLS handshake" + perhaps(clientCertificate));
    }
    return new Explanation(Kind.OTHER, "TLS failed" + detail(e));
  }

  private static boolean isEndOfStream(IOException e) {
    return find(e, EOFException.class).isPresent() || find(e, SocketException.class).isPresent();
  }

  private static String trusted(RestConfig config) {
    PemSource authority = config.certificateAuthority();
    return authority == null
        ? "those of the JDK, as no certificate authority is configured"
        : "configured is " + authority;
  }

  /** OkHttp lists the names of a certificate in the last line of its message. */
  private static String names(SSLPeerUnverifiedException e) {
    String message = String.valueOf(e.getMessage());
    int names = message.indexOf("subjectAltNames: ");
    return names < 0 ? "" : " but for " + message.substring(names + 17).trim();
  }

  private static String deepest(Throwable e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.getMessage() == null ? "" : " (" + cause.getMessage() + ")";
  }

  /** The message of the JDK or OkHttp, unless it quotes binary data from the network. */
  private static String detail(Throwable e) {
    String message = e.getMessage();
    return message == null || message.chars().anyMatch(Character::isISOControl)
        ? ""
        : " (" + message + ")";
  }

  private static <T extends Throwable> Optional<T> find(@Nullable Throwable e, Class<T> type) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return Optional.of(type.cast(cause));
      }
    }
    return Optional.empty();
  }
}
