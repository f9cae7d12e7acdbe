package dev.clientgo.rest.internal.policy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;

/**
 * The log form of a body: its beginning, with secrets masked. Bodies of resources for secrets are
 * not shown at all.
 *
 * @param url the URL of the request
 * @param limit the most characters shown
 */
public record LoggedBody(HttpUrl url, int limit) {

  static final String MASKED = "<masked>";

  private static final Set<String> SECRET_RESOURCES = Set.of("secrets", "token", "tokenreviews");

  /** A JSON field whose value is a secret, possibly truncated. */
  private static final Pattern SECRET_FIELD =
      Pattern.compile(
          "(\"[^\"]*(?i:token|password|secret|client-key-data|privateKey)\"\\s*:\\s*)"
              + "\"(?:[^\"\\\\]|\\\\.)*+\"?");

  /**
   * Returns the log form.
   *
   * @param head the beginning of the body, or all of it
   * @param length the length of the whole body in bytes
   */
  public String show(byte[] head, long length) {
    if (isForSecrets(url.pathSegments())) {
      return "(" + length + " bytes, not shown because they may contain secrets)";
    }
    for (byte b : head) {
      if (b >= 0 && b < '\n' && b != '\t') {
        return "(" + length + " bytes that are not text)";
      }
    }
    String text = SECRET_FIELD.matcher(new String(head, UTF_8)).replaceAll("$1\"" + MASKED + "\"");
    int shown = Math.min(limit, text.length());
    long rest = Math.max(length - shown, text.length() - shown);
    return shown == text.length() && head.length == length
        ? text
        : text.substring(0, shown) + " [truncated " + rest + " bytes]";
  }

  private static boolean isForSecrets(List<String> path) {
    return path.stream().anyMatch(SECRET_RESOURCES::contains);
  }
}
