package dev.clientgo.rest.discovery;

import java.util.Map;

/**
 * The version of a server.
 *
 * <p>Corresponds to apimachinery's {@code version.Info}.
 *
 * @param major the first number
 * @param minor the second number; some vendors append a plus sign
 * @param gitVersion the full version, such as {@code v1.36.2}
 * @param gitCommit the commit it was built from
 * @param buildDate the date of the build
 * @param platform the platform of the server, such as {@code linux/amd64}
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
        JsonTree.text(document, "major"),
        JsonTree.text(document, "minor"),
        JsonTree.text(document, "gitVersion"),
        JsonTree.text(document, "gitCommit"),
        JsonTree.text(document, "buildDate"),
        JsonTree.text(document, "platform"));
  }

  /** Returns the full version. */
  @Override
  public String toString() {
    return gitVersion;
  }
}
