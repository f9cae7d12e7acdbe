package dev.clientgo.kubectl;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.DeletionPropagation;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.meta.options.Preconditions;
import dev.clientgo.apimachinery.restmapper.RESTMapping;
import dev.clientgo.apimachinery.restmapper.RESTMapping.Scope;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.kubectl.ObjectResult.Outcome;
import dev.clientgo.rest.ResourceClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Deletes the objects of one kind that were applied before and are in no manifest any more. */
final class Prune {

  private final Resources resources;
  private final String fieldManager;
  private final Selector selector;
  private final boolean dryRun;

  Prune(Resources resources, String fieldManager, Selector selector, boolean dryRun) {
    this.resources = resources;
    this.fieldManager = fieldManager;
    this.selector = selector;
    this.dryRun = dryRun;
  }

  /**
   * Deletes the objects of one kind, and returns what became of each that was to be deleted.
   *
   * @param kept the uids of the objects that are in a manifest
   */
  List<ObjectResult> run(RESTMapping mapping, Set<String> namespaces, Set<String> kept)
      throws InterruptedException {
    ListOptions selected = ListOptions.builder().labelSelector(selector.toString()).build();
    ResourceClient<Unstructured> all = resources.all(mapping);
    List<ObjectResult> results = new ArrayList<>();
    try {
      if (mapping.scope() == Scope.ROOT) {
        delete(all, mapping, selected, kept, results);
      } else {
        for (String namespace : new TreeSet<>(namespaces)) {
          delete(all.inNamespace(namespace), mapping, selected, kept, results);
        }
      }
    } catch (KubernetesException e) {
      results.add(failed(mapping.kind(), e));
    }
    return results;
  }

  /** Returns the result for a kind of which it is not known what would have to be deleted. */
  static ObjectResult failed(GroupVersionKind kind, KubernetesException error) {
    Unstructured unknown = Unstructured.of(Map.of()).withType(kind.apiVersion(), kind.kind());
    return ObjectResult.failed("prune " + kind.kind(), unknown, error);
  }

  private void delete(
      ResourceClient<Unstructured> client,
      RESTMapping mapping,
      ListOptions selected,
      Set<String> kept,
      List<ObjectResult> results)
      throws InterruptedException {
    for (Unstructured object : client.list(selected)) {
      ObjectMeta metadata = object.metadata();
      if (!kept.contains(String.valueOf(metadata.uid())) && isOurs(metadata)) {
        results.add(delete(client, mapping, object));
      }
    }
  }

  private boolean isOurs(ObjectMeta metadata) {
    return metadata.ownerReferences().isEmpty()
        && !metadata.isBeingDeleted()
        && metadata.managedFields().stream()
            .anyMatch(
                entry ->
                    fieldManager.equals(entry.manager())
                        && "Apply".equals(String.valueOf(entry.operation())));
  }

  private ObjectResult delete(
      ResourceClient<Unstructured> client, RESTMapping mapping, Unstructured object)
      throws InterruptedException {
    String name = Resources.nameOf(mapping, object);
    DeleteOptions same =
        DeleteOptions.builder()
            .preconditions(Preconditions.ofUid(String.valueOf(object.metadata().uid())))
            .propagationPolicy(DeletionPropagation.BACKGROUND)
            .dryRun(dryRun)
            .build();
    try {
      client.delete(String.valueOf(object.metadata().name()), same);
      return new ObjectResult(name, Outcome.PRUNED, object, null);
    } catch (KubernetesException e) {
      return ObjectResult.failed(name, object, e);
    }
  }
}
