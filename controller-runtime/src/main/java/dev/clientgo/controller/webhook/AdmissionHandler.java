package dev.clientgo.controller.webhook;

import dev.clientgo.apimachinery.meta.KubernetesObject;

/**
 * Answers requests for admission in full: it may allow, deny, change and warn at once, and is
 * called for all operations of its rules.
 *
 * <p>For most webhooks a {@link Mutator} or a {@link Validator} is enough. Corresponds to
 * controller-runtime's {@code admission.Handler}.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface AdmissionHandler<T extends KubernetesObject> {

  /**
   * Answers a request.
   *
   * @throws AdmissionDeniedException if the request is denied
   * @throws Exception if the webhook fails; the user sees the message. The answer to an {@code
   *     ApiStatusException} has its status, that to any other exception the code 500.
   */
  AdmissionResponse handle(AdmissionRequest<T> request) throws Exception;
}
