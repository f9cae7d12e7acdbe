package dev.clientgo.rest.internal.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.rest.config.ImpersonationConfig;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.text.HeaderValues;
import java.util.Locale;
import okhttp3.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Adds the headers of the client to those of a request, which take precedence.
 *
 * <p>As in Go, a value may contain letters beyond ASCII, which are sent as UTF-8.
 */
public final class RequestHeaders {

  private static final String TOKEN_CHARACTERS = "!#$&'*+-.^_`|~";

  private RequestHeaders() {}

  /**
   * Adds the headers of the client to those of a request, without the credentials, and returns them
   * all. Does nothing the second time.
   */
  public static Headers complete(Headers.Builder headers, RestConfig config) {
    if (headers.get("Accept") == null) {
      headers.set("Accept", "application/json, */*");
    }
    if (headers.get("User-Agent") == null) {
      set(headers, "User-Agent", config.userAgent());
    }
    if (config.disableCompression() && headers.get("Accept-Encoding") == null) {
      headers.set("Accept-Encoding", "identity");
    }
    ImpersonationConfig impersonate = config.impersonate();
    if (impersonate != null && headers.get("Impersonate-User") == null) {
      impersonate(headers, impersonate);
    }
    return headers.build();
  }

  /**
   * Returns headers with the credentials of the client, unless they have their own.
   *
   * @param authorization the credentials, null for none
   */
  static Headers authorize(Headers own, @Nullable String authorization) {
    if (authorization == null || own.get("Authorization") != null) {
      return own;
    }
    Headers.Builder headers = own.newBuilder();
    set(headers, "Authorization", authorization);
    return headers.build();
  }

  /**
   * Sets a header, and removes others of the same name.
   *
   * @throws IllegalArgumentException if the name or the value is not allowed in a header
   */
  public static void set(Headers.Builder headers, String name, String value) {
    headers
        .removeAll(name)
        .addUnsafeNonAscii(name, HeaderValues.check("the header " + name, value));
  }

  private static void impersonate(Headers.Builder headers, ImpersonationConfig impersonate) {
    headers.addUnsafeNonAscii("Impersonate-User", impersonate.userName());
    if (impersonate.uid() != null) {
      headers.addUnsafeNonAscii("Impersonate-Uid", impersonate.uid());
    }
    for (String group : impersonate.groups()) {
      headers.addUnsafeNonAscii("Impersonate-Group", group);
    }
    impersonate
        .extra()
        .forEach(
            (key, values) -> {
              for (String value : values) {
                headers.addUnsafeNonAscii("Impersonate-Extra-" + escape(key), value);
              }
            });
  }

  /** Escapes characters that are not allowed in the name of a header, and the escape character. */
  public static String escape(String key) {
    StringBuilder escaped = new StringBuilder();
    for (byte b : key.getBytes(UTF_8)) {
      char c = (char) (b & 0xff);
      if (isTokenCharacter(c)) {
        escaped.append(c);
      } else {
        escaped.append(String.format(Locale.ROOT, "%%%02X", (int) c));
      }
    }
    return escaped.toString();
  }

  private static boolean isTokenCharacter(char c) {
    return (c >= '0' && c <= '9')
        || (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || TOKEN_CHARACTERS.indexOf(c) >= 0;
  }
}
