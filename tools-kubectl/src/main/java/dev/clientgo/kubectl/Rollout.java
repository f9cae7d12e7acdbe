package dev.clientgo.kubectl;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.MicroTime;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.readiness.Readiness;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.Clock;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Follows, starts, pauses and undoes the rollouts of deployments, stateful sets and daemon sets.
 *
 * <pre>{@code
 * Rollout.restart(deployments, "web");
 * Rollout.await(deployments, "web", Duration.ofMinutes(5)); // deployment "web" successfully …
 * Rollout.undo(deployments, "web");
 * }</pre>
 *
 * <p>A client may be typed or dynamic; it must be that of one namespace. Corresponds to {@code
 * kubectl rollout} and {@code k8s.io/kubectl/pkg/polymorphichelpers}.
 */
public final class Rollout {

  /** The annotation of the pod template by which kubectl restarts a workload: {@value}. */
  public static final String RESTARTED_AT = "kubectl.kubernetes.io/restartedAt";

  private Rollout() {}

  /** Returns how far the rollout of an object has come. */
  public static <T extends KubernetesObject> Status status(ResourceType<T> type, T object) {
    return status(Unstructured.from(type.codec(), object));
  }

  /**
   * Returns how far the rollout of an object has come.
   *
   * @throws IllegalArgumentException if the object is no Deployment, StatefulSet or DaemonSet, or
   *     its pods are replaced on deletion only
   */
  public static Status status(Unstructured object) {
    return Status.of(Readiness.ofRollout(object));
  }

  /**
   * Waits until the rollout has ended.
   *
   * @return the status of success
   * @throws TimeoutException if it is not over in time; the message says how far it has come
   * @throws ApiStatusException if the rollout fails, or the object is not there
   */
  public static <T extends KubernetesObject> Status await(
      ResourceClient<T> resource, String name, Duration timeout)
      throws InterruptedException, TimeoutException {
    String late = "after " + timeout.toSeconds() + " s: ";
    return status(
        resource.type(),
        await(resource, name, timeout, object -> status(resource.type(), object), late));
  }

  /**
   * Waits until an object has come to its end.
   *
   * @param late how the message begins if it has not come there in time
   * @return the object when it was done
   */
  static <T extends KubernetesObject> T await(
      ResourceClient<T> resource,
      String name,
      Duration timeout,
      Function<T, Status> status,
      String late)
      throws InterruptedException, TimeoutException {
    Status[] last = {Status.waiting("nothing is known of it")};
    try {
      return resource
          .await(
              name,
              object -> {
                last[0] =
                    status.apply(
                        object.orElseThrow(
                            () ->
                                ApiStatusException.notFound(
                                    resource.type().resource().groupResource(), name)));
                return last[0].succeeded();
              },
              timeout)
          .orElseThrow();
    } catch (TimeoutException e) {
      TimeoutException told = new TimeoutException(late + last[0].message());
      told.initCause(e);
      throw told;
    }
  }

  /**
   * Starts a rollout of the same pods: sets the annotation {@value #RESTARTED_AT} to the time now,
   * in microseconds, so that two restarts in one second are two.
   *
   * @return the object as the server stored it
   * @throws IllegalArgumentException if it is a Deployment that is paused, no Deployment,
   *     StatefulSet or DaemonSet, or its pods are replaced on deletion only
   */
  public static <T extends KubernetesObject> T restart(ResourceClient<T> resource, String name)
      throws InterruptedException {
    Unstructured workload = Unstructured.from(resource.type().codec(), resource.get(name));
    status(workload); // Throws if no rollout would follow.
    requireNotPaused(workload, "resume it, then restart it");
    return annotateTemplate(resource, name, MicroTime.now(Clock.system()).toString());
  }

  private static void requireNotPaused(Unstructured workload, String remedy) {
    if (workload.nestedBoolean("spec", "paused").orElse(false)) {
      throw new IllegalArgumentException(
          workload.kind() + " " + workload.metadata().name() + " is paused: " + remedy);
    }
  }

  private static <T extends KubernetesObject> T annotateTemplate(
      ResourceClient<T> resource, String name, String time) throws InterruptedException {
    Map<String, ?> annotations = Map.of("annotations", Map.of(RESTARTED_AT, time));
    return resource.patch(
        name, Patch.merge(Map.of("spec", Map.of("template", Map.of("metadata", annotations)))));
  }

  /**
   * Returns the revisions of a workload that its controller keeps, the oldest first. The last one
   * is the one that it runs, or is rolling out.
   *
   * <p>The revisions of a deployment are its replica sets, those of stateful sets and daemon sets
   * are ControllerRevisions; the user needs the right to list them.
   *
   * @throws IllegalArgumentException if it is no Deployment, StatefulSet or DaemonSet
   * @throws ApiStatusException if the object is not there
   */
  public static <T extends KubernetesObject> List<RolloutRevision> history(
      ResourceClient<T> resource, String name) throws InterruptedException {
    return RolloutHistory.read(resource, name).revisions();
  }

  /**
   * Goes back to the revision before the one that the workload runs.
   *
   * @return the object as the server stored it; {@link #await} follows the rollout
   * @throws IllegalStateException if there is no such revision
   * @throws IllegalArgumentException if it is a Deployment that is paused
   */
  public static <T extends KubernetesObject> T undo(ResourceClient<T> resource, String name)
      throws InterruptedException {
    RolloutHistory history = RolloutHistory.read(resource, name);
    return undo(resource, name, history, history.previous());
  }

  /**
   * Goes back to a revision. If the workload runs it already, nothing is changed.
   *
   * @param revision one of {@link #history}
   * @return the object as the server stored it
   * @throws IllegalArgumentException if the revision is not in the history, or it is a Deployment
   *     that is paused
   */
  public static <T extends KubernetesObject> T undo(
      ResourceClient<T> resource, String name, long revision) throws InterruptedException {
    RolloutHistory history = RolloutHistory.read(resource, name);
    return undo(resource, name, history, history.get(revision));
  }

  private static <T extends KubernetesObject> T undo(
      ResourceClient<T> resource, String name, RolloutHistory history, RolloutHistory.Entry entry)
      throws InterruptedException {
    requireNotPaused(history.workload(), "resume it, then undo its rollout");
    return history.runs(entry)
        ? history.workload().to(resource.type().codec())
        : resource.patch(name, history.patchTo(entry));
  }

  /**
   * Pauses a deployment: changes of its template start no rollout until it is resumed. Unlike
   * kubectl: if it is paused already, that is no error.
   *
   * @throws IllegalArgumentException if the client is not one of deployments
   */
  public static <T extends KubernetesObject> T pause(ResourceClient<T> resource, String name)
      throws InterruptedException {
    return pause(resource, name, true);
  }

  /**
   * Resumes a deployment. Unlike kubectl: if it is not paused, that is no error.
   *
   * @throws IllegalArgumentException if the client is not one of deployments
   */
  public static <T extends KubernetesObject> T resume(ResourceClient<T> resource, String name)
      throws InterruptedException {
    return pause(resource, name, null);
  }

  private static <T extends KubernetesObject> T pause(
      ResourceClient<T> resource, String name, @Nullable Boolean paused)
      throws InterruptedException {
    String target = resource.type().resource().groupResource().toString();
    if (!target.equals("deployments.apps")) {
      throw new IllegalArgumentException(
          target + " cannot be paused or resumed: only a Deployment can");
    }
    return resource.patch(
        name, Patch.merge(Map.of("spec", Collections.singletonMap("paused", paused))));
  }

  /**
   * How far a rollout has come.
   *
   * <pre>{@code
   * Status status = Rollout.status(Deployment.TYPE, deployment);
   * }</pre>
   *
   * @param done whether it is over and has succeeded
   * @param failed whether it is over and has failed
   * @param message what there is to tell, as kubectl does
   */
  public record Status(boolean done, boolean failed, String message) {

    public Status {
      requireNonNull(message, "message");
      if (done && failed) {
        throw new IllegalArgumentException("a rollout cannot both succeed and fail");
      }
    }

    /** Returns whether it has succeeded; throws an {@link ApiStatusException} if it has failed. */
    boolean succeeded() {
      if (failed) {
        throw ApiStatusException.internalError(message);
      }
      return done;
    }

    static Status of(Readiness readiness) {
      return new Status(readiness.isReady(), readiness.isFailed(), readiness.message());
    }

    static Status waiting(String message) {
      return new Status(false, false, message);
    }
  }
}
