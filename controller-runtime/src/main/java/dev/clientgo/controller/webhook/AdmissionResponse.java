package dev.clientgo.controller.webhook;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.patch.JsonPatch;
import dev.clientgo.apimachinery.status.Status;
import dev.clientgo.apimachinery.status.StatusReason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a webhook to a request for admission.
 *
 * <pre>{@code
 * return AdmissionResponse.deny("spec.size must be at most 10, is " + size)
 *     .withWarning("spec.size is deprecated, use spec.replicas");
 * }</pre>
 *
 * <p>Immutable. Corresponds to controller-runtime's {@code admission.Response}.
 */
public final class AdmissionResponse {

  private static final AdmissionResponse ALLOWED =
      new AdmissionResponse(true, Status.builder().code(200).build(), List.of(), Map.of(), null);

  private final boolean allowed;
  private final Status status;
  private final List<String> warnings;
  private final Map<String, String> auditAnnotations;
  private final @Nullable JsonPatch patch;

  private AdmissionResponse(
      boolean allowed,
      Status status,
      List<String> warnings,
      Map<String, String> auditAnnotations,
      @Nullable JsonPatch patch) {
    this.allowed = allowed;
    this.status = status;
    this.warnings = warnings;
    this.auditAnnotations = auditAnnotations;
    this.patch = patch;
  }

  /** Allows the request. */
  public static AdmissionResponse allow() {
    return ALLOWED;
  }

  /** Denies the request with the code 403 and the reason {@code Forbidden}. */
  public static AdmissionResponse deny(String message) {
    return deny(403, StatusReason.FORBIDDEN, message);
  }

  /**
   * Denies the request.
   *
   * @param code the HTTP status that the user's client receives
   * @param reason the reason for programs, see {@link StatusReason}
   * @param message the reason for people
   */
  public static AdmissionResponse deny(int code, String reason, String message) {
    return deny(
        Status.builder()
            .code(code)
            .reason(requireNonNull(reason, "reason"))
            .message(requireNonNull(message, "message"))
            .build());
  }

  /**
   * Denies the request with a whole status, for example that of an {@code
   * ApiStatusException.invalid(…)}, which lists the wrong fields.
   */
  public static AdmissionResponse deny(Status status) {
    return new AdmissionResponse(
        false, requireNonNull(status, "status"), List.of(), Map.of(), null);
  }

  /**
   * Allows the request with changes; {@link AdmissionRequest#changeTo} computes the patch. Only for
   * mutating webhooks.
   */
  public static AdmissionResponse patch(JsonPatch patch) {
    requireNonNull(patch, "patch");
    return new AdmissionResponse(
        true, ALLOWED.status, List.of(), Map.of(), patch.operations().isEmpty() ? null : patch);
  }

  /**
   * Returns this answer with one more warning for the user, which kubectl prints. Servers cut
   * warnings of more than 256 characters, and omit them after 4096 characters.
   */
  public AdmissionResponse withWarning(String warning) {
    List<String> more = new ArrayList<>(warnings);
    more.add(requireNonNull(warning, "warning"));
    return new AdmissionResponse(allowed, status, List.copyOf(more), auditAnnotations, patch);
  }

  /**
   * Returns this answer with an annotation for the audit log of the server.
   *
   * @param key the key, without a slash; the server puts the name of the webhook before it
   */
  public AdmissionResponse withAuditAnnotation(String key, String value) {
    Map<String, String> more = new LinkedHashMap<>(auditAnnotations);
    more.put(requireNonNull(key, "key"), requireNonNull(value, "value"));
    return new AdmissionResponse(allowed, status, warnings, Map.copyOf(more), patch);
  }

  /** Returns whether the request is allowed. */
  public boolean isAllowed() {
    return allowed;
  }

  /** Returns code, reason, message and details. */
  public Status status() {
    return status;
  }

  /** Returns the message for the user; empty if there is none. */
  public String message() {
    return status.message() == null ? "" : status.message();
  }

  /** Returns the warnings for the user. */
  public List<String> warnings() {
    return warnings;
  }

  /** Returns the annotations for the audit log. */
  public Map<String, String> auditAnnotations() {
    return auditAnnotations;
  }

  /** Returns the changes; empty if there are none. */
  public Optional<JsonPatch> patch() {
    return Optional.ofNullable(patch);
  }

  /** Returns the decision with its code and message. */
  @Override
  public String toString() {
    return (allowed ? "allowed" : "denied, " + status.code() + " " + message())
        + (patch == null ? "" : ", " + patch.operations().size() + " changes")
        + (warnings.isEmpty() ? "" : ", warnings " + warnings);
  }
}
