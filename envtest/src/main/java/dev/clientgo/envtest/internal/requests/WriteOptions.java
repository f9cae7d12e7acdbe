package dev.clientgo.envtest.internal.requests;

import dev.clientgo.envtest.internal.errors.FieldErrors;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.List;

/** The options that all writes share. */
public final class WriteOptions {

  private WriteOptions() {}

  /**
   * Returns whether a write is a dry run.
   *
   * @param kind the kind of the options, for the error
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if the options are invalid
   */
  public static boolean isDryRun(ApiRequest request, String kind) {
    List<String> dryRun = request.query().getOrDefault("dryRun", List.of());
    checkDryRun(dryRun, kind);
    String validation = request.query("fieldValidation");
    if (!List.of("", "Ignore", "Warn", "Strict").contains(validation)) {
      FieldErrors.throwIfAny(
          kind,
          List.of(
              FieldErrors.notSupported(
                  "fieldValidation", '"' + validation + '"', "", "Ignore", "Strict", "Warn")));
    }
    return !dryRun.isEmpty();
  }

  public static void checkDryRun(List<String> dryRun, String kind) {
    if (!dryRun.isEmpty() && !dryRun.equals(List.of("All"))) {
      String value = "[\"" + String.join("\",\"", dryRun) + "\"]";
      FieldErrors.throwIfAny(kind, List.of(FieldErrors.notSupported("dryRun", value, "All")));
    }
  }
}
