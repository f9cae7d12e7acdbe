package dev.clientgo.rest.internal.policy;

import dev.clientgo.apimachinery.errors.TransportException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * Logs requests: one line each at DEBUG, headers with credentials masked at TRACE, and bodies at
 * TRACE if enabled.
 *
 * <p>Corresponds to client-go's debugging round tripper, which kubectl shows at {@code -v=6} and
 * above.
 *
 * @param bodyLength the most characters shown of a body; 0 for no bodies
 */
public record RequestLog(int bodyLength) {

  private static final Logger LOG = System.getLogger("dev.clientgo.rest.Request");

  /** A longer wait for the rate limiter is logged at a higher level. */
  private static final Duration VISIBLE = Duration.ofSeconds(1);

  private static final Set<String> SCHEMES = Set.of("basic", "bearer", "negotiate");
  private static final Set<String> SECRET_HEADERS =
      Set.of("cookie", "set-cookie", "proxy-authorization", "x-auth-token");

  static final RequestLog STANDARD = new RequestLog(0);

  /** Returns whether bodies must be kept for {@link #answerBody}. */
  public boolean wantsBodies() {
    return bodyLength > 0 && LOG.isLoggable(Level.TRACE);
  }

  public void throttled(Duration turn, String method, HttpUrl url) {
    LOG.log(
        turn.compareTo(VISIBLE) > 0 ? Level.INFO : Level.DEBUG,
        "Waits due to client-side throttling, not priority and fairness: millis={0} method={1} url={2}",
        Long.toString(turn.toMillis()),
        method,
        url);
  }

  /** Logs that the server asks for a later retry; otherwise a long wait would look like a hang. */
  public void busy(int code, Duration delay, String method, HttpUrl url) {
    LOG.log(
        delay.compareTo(VISIBLE) > 0 ? Level.INFO : Level.DEBUG,
        "The server asks for a retry: status={0} seconds={1} method={2} url={3}",
        Integer.toString(code),
        Long.toString(delay.toSeconds()),
        method,
        url);
  }

  /**
   * Logs a missing response; the first one at a lower level, it may be due to an old connection.
   */
  public void unanswered(int attempt, TransportException error) {
    LOG.log(
        attempt > 1 ? Level.INFO : Level.DEBUG,
        "An attempt failed, there will be another: attempt={0} error={1}",
        Integer.toString(attempt),
        error.getMessage());
  }

  /** Logs the end of an attempt. */
  public void attempted(String method, HttpUrl url, int code, String protocol, Duration took) {
    if (LOG.isLoggable(Level.DEBUG)) {
      LOG.log(
          Level.DEBUG,
          "Request: method={0} url={1} status={2} protocol={3} millis={4}",
          method,
          url,
          Integer.toString(code),
          protocol,
          Long.toString(took.toMillis()));
    }
  }

  /** Logs the headers and the body of a request. */
  public void request(String method, HttpUrl url, Headers headers, byte @Nullable [] body) {
    if (!LOG.isLoggable(Level.TRACE)) {
      return;
    }
    LOG.log(
        Level.TRACE,
        "Request headers: method={0} url={1} headers={2}",
        method,
        url,
        shown(headers));
    if (wantsBodies() && body != null && body.length > 0) {
      LOG.log(
          Level.TRACE,
          "Request body: method={0} url={1} body={2}",
          method,
          url,
          new LoggedBody(url, bodyLength).show(body, body.length));
    }
  }

  /** Logs the headers of a response. */
  public void answer(String method, HttpUrl url, Headers headers) {
    if (LOG.isLoggable(Level.TRACE)) {
      LOG.log(
          Level.TRACE,
          "Response headers: method={0} url={1} headers={2}",
          method,
          url,
          shown(headers));
    }
  }

  /** Logs the body of a response, as far as it was read. */
  public void answerBody(String method, HttpUrl url, byte[] head, long length) {
    LOG.log(
        Level.TRACE,
        "Response body: method={0} url={1} body={2}",
        method,
        url,
        new LoggedBody(url, bodyLength).show(head, length));
  }

  private static List<String> shown(Headers headers) {
    return headers.names().stream()
        .flatMap(
            name -> headers.values(name).stream().map(value -> name + ": " + mask(name, value)))
        .toList();
  }

  /** Returns the value of a header with credentials masked. */
  public static String mask(String name, @Nullable String value) {
    if (value == null || value.isEmpty()) {
      return "";
    }
    String header = name.toLowerCase(Locale.ROOT);
    if (!header.equals("authorization")) {
      return SECRET_HEADERS.contains(header) ? LoggedBody.MASKED : value;
    }
    int space = value.indexOf(' ');
    String scheme = space > 0 ? value.substring(0, space) : value;
    if (!SCHEMES.contains(scheme.toLowerCase(Locale.ROOT))) {
      return LoggedBody.MASKED;
    }
    return value.length() > scheme.length() + 1 ? scheme + " " + LoggedBody.MASKED : scheme;
  }
}
