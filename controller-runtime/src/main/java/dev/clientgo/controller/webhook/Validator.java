package dev.clientgo.controller.webhook;

import dev.clientgo.apimachinery.meta.KubernetesObject;

/**
 * Allows or denies requests that would change objects.
 *
 * <p>It must have no side effects: it is also called for dry runs, and for requests that fail
 * later. Corresponds to controller-runtime's {@code admission.Validator}.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface Validator<T extends KubernetesObject> {

  /**
   * Decides on a request. {@link AdmissionRequest#operation} distinguishes a creation from an
   * update or a deletion.
   *
   * @param object the object in the request; for a deletion, the object to be deleted
   * @param request the rest of the request, with the old object of an update
   * @throws AdmissionDeniedException if the request is denied
   * @throws Exception if the webhook fails; the user sees the message. The answer to an {@code
   *     ApiStatusException} has its status, that to any other exception the code 500.
   */
  AdmissionResponse validate(T object, AdmissionRequest<T> request) throws Exception;
}
