package dev.clientgo.kubectl;

import dev.clientgo.apimachinery.readiness.Readiness;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** Waits until an object is {@linkplain Readiness ready}. */
final class ReadinessWait {

  private ReadinessWait() {}

  /**
   * Waits until an object is ready.
   *
   * @param object the object as it was applied
   * @return the object when it was ready
   * @throws TimeoutException if it is not ready in time; the message says why
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if it is gone, or can no longer
   *     become ready
   */
  static Unstructured await(
      ResourceClient<Unstructured> client, String name, Unstructured object, Duration timeout)
      throws InterruptedException, TimeoutException {
    if (status(object).succeeded()) {
      return object;
    }
    String late = "not ready after " + timeout.toMillis() + " ms: ";
    return Rollout.await(client, name, timeout, ReadinessWait::status, late);
  }

  private static Rollout.Status status(Unstructured object) {
    return Rollout.Status.of(Readiness.of(object));
  }
}
