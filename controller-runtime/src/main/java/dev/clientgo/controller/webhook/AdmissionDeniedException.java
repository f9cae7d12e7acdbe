package dev.clientgo.controller.webhook;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.KubernetesException;

/** Thrown by a webhook to deny a request, from a place that cannot return an answer. */
public final class AdmissionDeniedException extends KubernetesException {

  private static final long serialVersionUID = 1;

  private final transient AdmissionResponse response;

  /** Creates a denial with a message for the user. */
  public AdmissionDeniedException(String message) {
    this(AdmissionResponse.deny(message));
  }

  /** Creates a denial with this answer. */
  public AdmissionDeniedException(AdmissionResponse response) {
    super(response.message(), null);
    this.response = requireNonNull(response, "response");
    if (response.isAllowed()) {
      throw new IllegalArgumentException("the answer allows the request: " + response);
    }
  }

  /** Returns the answer. */
  public AdmissionResponse response() {
    return response;
  }
}
