package dev.clientgo.kubectl;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** Tells whether an object of a built-in kind does its work. */
final class Readiness {

  private static final Wait ESTABLISHED = Wait.forCondition("Established");
  private static final Wait READY = Wait.forCondition("Ready");
  private static final Wait COMPLETE = Wait.forCondition("Complete");
  private static final Wait FAILED = Wait.forCondition("Failed");

  private Readiness() {}

  /**
   * Waits until an object is ready.
   *
   * @param object the object as it was applied
   * @return the object when it was ready
   * @throws ApiStatusException if it is gone, or can no longer become ready
   */
  static Unstructured await(
      ResourceClient<Unstructured> client, String name, Unstructured object, Duration timeout)
      throws InterruptedException, TimeoutException {
    if (isReady(object)) {
      return object;
    }
    return client
        .await(
            name,
            now ->
                isReady(
                    now.orElseThrow(
                        () ->
                            ApiStatusException.notFound(
                                client.type().resource().groupResource(), name))),
            timeout)
        .orElseThrow();
  }

  private static boolean isReady(Unstructured object) {
    return switch (object.groupVersionKind().groupKind().toString()) {
      case "Deployment.apps", "StatefulSet.apps", "DaemonSet.apps" -> isRolledOut(object);
      case "CustomResourceDefinition.apiextensions.k8s.io" -> ESTABLISHED.isMetBy(object);
      case "Pod" -> isReadyPod(object);
      case "Job.batch" -> isComplete(object);
      default -> true;
    };
  }

  private static boolean isRolledOut(Unstructured object) {
    RolloutStatus status = Rollout.status(object);
    if (status.failed()) {
      throw ApiStatusException.internalError(status.message());
    }
    return status.done();
  }

  private static boolean isReadyPod(Unstructured pod) {
    String phase = pod.nestedString("status", "phase").orElse("");
    if (phase.equals("Failed")) {
      throw ApiStatusException.internalError("pod " + pod.metadata().name() + " has failed");
    }
    return phase.equals("Succeeded") || READY.isMetBy(pod);
  }

  private static boolean isComplete(Unstructured job) {
    if (FAILED.isMetBy(job)) {
      throw ApiStatusException.internalError("job " + job.metadata().name() + " has failed");
    }
    return COMPLETE.isMetBy(job);
  }
}
