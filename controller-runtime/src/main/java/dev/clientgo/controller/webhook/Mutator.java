package dev.clientgo.controller.webhook;

import dev.clientgo.apimachinery.meta.KubernetesObject;

/**
 * Changes objects before a server validates and stores them, for example sets defaults.
 *
 * <p>It may be called more than once for one request, and for requests that fail later. So the
 * second call must change nothing that the first has changed, and there must be no side effects.
 *
 * <p>To warn the user, use an {@link AdmissionHandler}. Corresponds to controller-runtime's {@code
 * admission.Defaulter}.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface Mutator<T extends KubernetesObject> {

  /**
   * Returns the object that the server uses from now on: a changed copy, or the same object. The
   * fields that the type does not know are kept.
   *
   * <p>Not called for deletions, which change nothing.
   *
   * @param object the object in the request
   * @param request the rest of the request
   * @throws AdmissionDeniedException if the request is denied
   * @throws Exception if the webhook fails; the user sees the message. The answer to an {@code
   *     ApiStatusException} has its status, that to any other exception the code 500.
   */
  T mutate(T object, AdmissionRequest<T> request) throws Exception;
}
