package dev.clientgo.envtest.controllers.internal.pods;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.util.function.UnaryOperator;

/**
 * Creates and deletes the pods of one owner, and records an event of the owner for each.
 *
 * <p>Corresponds to {@code controller.RealPodControl}.
 */
public final class PodControl {

  private final Context context;
  private final KubernetesObject owner;
  private final CachedResource<Pod> pods;

  /** Creates an instance for one reconcile. */
  public PodControl(Context context, KubernetesObject owner) {
    this.context = context;
    this.owner = owner;
    String namespace = String.valueOf(owner.metadata().namespace());
    this.pods = context.client().resource(Pod.TYPE).inNamespace(namespace);
  }

  /** Creates a pod. */
  public Pod create(Pod pod) throws InterruptedException {
    try {
      Pod created = pods.create(pod);
      context
          .events()
          .normal(
              owner, "SuccessfulCreate", "CreatePod", "Created pod: %s", created.metadata().name());
      return created;
    } catch (ApiStatusException e) {
      // In a namespace that is being deleted nothing can be created, which is not worth an event.
      if (!e.hasStatusCause("NamespaceTerminating")) {
        context
            .events()
            .warning(owner, "FailedCreate", "CreatePod", "Error creating: %s", e.getMessage());
      }
      throw e;
    }
  }

  /** Changes a pod, unless the change leaves it as it is. */
  public void edit(Pod pod, UnaryOperator<Pod> change) throws InterruptedException {
    pods.edit(pod, change);
  }

  /** Deletes a pod; it is no error if the pod is gone. */
  public void delete(Pod pod) throws InterruptedException {
    String name = String.valueOf(pod.metadata().name());
    try {
      if (pods.deleteIfExists(name)) {
        context.events().normal(owner, "SuccessfulDelete", "DeletePod", "Deleted pod: %s", name);
      }
    } catch (KubernetesException e) {
      context
          .events()
          .warning(owner, "FailedDelete", "DeletePod", "Error deleting: %s", e.getMessage());
      throw e;
    }
  }
}
