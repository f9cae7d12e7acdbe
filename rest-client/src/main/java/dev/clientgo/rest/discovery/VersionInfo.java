package dev.clientgo.rest.discovery;

import java.util.Map;

/**
 * Which version a server is of.
 *
 * <p>Corresponds to apimachinery's {@code version.Info}.
 *
 * @param major the first number
 * @param minor the second number; some vendors put a plus sign behind it
 * @param gitVersion the full version, such as {@code v1.36.2}
 * @param gitCommit the commit it was built from
 * @param buildDate when it was built
 * @param platform what it runs on, such as {@code linux/amd64}
 */
public record VersionInfo(
    String major,
    String minor,
    String gitVersion,
    String gitCommit,
    String buildDate,
    String platform) {

  static VersionInfo read(Map<?, ?> document) {
    return new VersionInfo(
        Documents.text(document, "major"),
        Documents.text(document, "minor"),
        Documents.text(document, "gitVersion"),
        Documents.text(document, "gitCommit"),
        Documents.text(document, "buildDate"),
        Documents.text(document, "platform"));
  }

  /** Returns the full version. */
  @Override
  public String toString() {
    return gitVersion;
  }
}
