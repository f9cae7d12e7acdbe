package dev.clientgo.kubectl;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.NoMatchException;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.DeletionPropagation;
import dev.clientgo.apimachinery.restmapper.RESTMapping;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.kubectl.ObjectResult.Outcome;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the objects of manifests, the last one first.
 *
 * <pre>{@code
 * Delete.with(client).inNamespace("web").awaitGone(Duration.ofMinutes(1)).run(manifests).orThrow();
 * }</pre>
 *
 * <p>An object that is not there, or whose kind the server does not know, is {@link
 * ObjectResult.Outcome#ABSENT}, not a failure. Dependents are deleted in the background. Immutable,
 * safe for use by many threads. Corresponds to {@code kubectl delete -f}.
 */
public final class Delete {

  private final RESTClient client;
  private final String namespace;
  private final boolean dryRun;
  private final @Nullable Duration gone;

  private Delete(RESTClient client, String namespace, boolean dryRun, @Nullable Duration gone) {
    this.client = client;
    this.namespace = namespace;
    this.dryRun = dryRun;
    this.gone = gone;
  }

  /** Returns what deletes objects with a client. */
  public static Delete with(RESTClient client) {
    return new Delete(requireNonNull(client, "client"), "default", false, null);
  }

  /** Sets the namespace of objects that have none; {@code default} if it is not set. */
  public Delete inNamespace(String namespace) {
    return new Delete(client, requireNonNull(namespace, "namespace"), dryRun, gone);
  }

  /** Has the server check everything and delete nothing. */
  public Delete dryRun() {
    return new Delete(client, namespace, true, gone);
  }

  /** Waits for each object until it is gone; without this, finalizers may keep it for a while. */
  public Delete awaitGone(Duration timeout) {
    return new Delete(client, namespace, dryRun, requireNonNull(timeout, "timeout"));
  }

  /**
   * Deletes the objects.
   *
   * @return what became of each, in the order in which they were deleted
   */
  public ApplyReport run(Manifests manifests) throws InterruptedException {
    Resources resources = new Resources(client, namespace);
    List<Unstructured> objects = manifests.objects();
    List<ObjectResult> results = new ArrayList<>();
    for (int i = objects.size() - 1; i >= 0; i--) {
      results.add(delete(resources, objects.get(i)));
    }
    return new ApplyReport(results);
  }

  private ObjectResult delete(Resources resources, Unstructured object)
      throws InterruptedException {
    String name = object.kind() + "/" + object.metadata().name();
    try {
      RESTMapping mapping = resources.knownMapping(object.groupVersionKind());
      name = Resources.nameOf(mapping, object);
      Unstructured placed = resources.place(object, mapping);
      delete(resources.client(mapping, placed), String.valueOf(placed.metadata().name()));
      return new ObjectResult(name, Outcome.DELETED, placed, null);
    } catch (NoMatchException e) {
      return new ObjectResult(name, Outcome.ABSENT, object, null);
    } catch (ApiStatusException e) {
      return e.isNotFound()
          ? new ObjectResult(name, Outcome.ABSENT, object, null)
          : ObjectResult.failed(name, object, e);
    } catch (KubernetesException e) {
      return ObjectResult.failed(name, object, e);
    } catch (TimeoutException e) {
      KubernetesException error = ApiStatusException.timeout(String.valueOf(e.getMessage()), 0);
      return ObjectResult.failed(name, object, error);
    }
  }

  private void delete(ResourceClient<Unstructured> target, String name)
      throws InterruptedException, TimeoutException {
    String uid = target.get(name).metadata().uid();
    DeleteOptions background =
        DeleteOptions.builder()
            .propagationPolicy(DeletionPropagation.BACKGROUND)
            .dryRun(dryRun)
            .build();
    target.delete(name, background);
    if (gone != null && !dryRun) {
      target.await(
          name,
          now -> now.isEmpty() || !String.valueOf(uid).equals(now.get().metadata().uid()),
          gone);
    }
  }
}
