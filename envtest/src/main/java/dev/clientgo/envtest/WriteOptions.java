package dev.clientgo.envtest;

import java.util.List;

/** The options that all writes have in common. */
final class WriteOptions {

  private WriteOptions() {}

  /**
   * Returns whether a write is only to be tried.
   *
   * @param kind the kind of the options, for the error
   * @throws dev.clientgo.apimachinery.errors.ApiStatusException if the options are not valid
   */
  static boolean isDryRun(ApiRequest request, String kind) {
    List<String> dryRun = request.query().getOrDefault("dryRun", List.of());
    checkDryRun(dryRun, kind);
    String validation = request.query("fieldValidation");
    if (!List.of("", "Ignore", "Warn", "Strict").contains(validation)) {
      Failures.checkOptions(
          kind,
          List.of(
              Failures.unsupportedValue(
                  "fieldValidation", '"' + validation + '"', "", "Ignore", "Strict", "Warn")));
    }
    return !dryRun.isEmpty();
  }

  static void checkDryRun(List<String> dryRun, String kind) {
    if (!dryRun.isEmpty() && !dryRun.equals(List.of("All"))) {
      String value = "[\"" + String.join("\",\"", dryRun) + "\"]";
      Failures.checkOptions(kind, List.of(Failures.unsupportedValue("dryRun", value, "All")));
    }
  }
}
