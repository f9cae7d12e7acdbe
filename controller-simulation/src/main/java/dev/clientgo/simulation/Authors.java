package dev.clientgo.simulation;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.envtest.traffic.ApiRequest;
import dev.clientgo.simulation.internal.state.Snapshot;
import dev.clientgo.simulation.internal.traffic.Call;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Remembers who has created the objects of a run, and what the controller has written. */
final class Authors {

  /** The name of the client that takes the steps. */
  static final String USER = "user";

  /**
   * An object that somebody has created.
   *
   * @param content what the controller has written, without what the server has added
   */
  record Created(
      GroupVersionResource resource,
      String namespace,
      String name,
      Map<String, @Nullable Object> content) {

    @Override
    public String toString() {
      return Snapshot.name(resource) + " " + (namespace.isEmpty() ? "" : namespace + "/") + name;
    }
  }

  private final Map<String, Created> ofController = new LinkedHashMap<>();
  private final Map<String, Created> ofUser = new LinkedHashMap<>();
  private final Set<String> edited = new LinkedHashSet<>();

  /** Records a write that has succeeded. */
  void written(Call call, int code, GroupVersionResource resource, String name, boolean underTest) {
    ApiRequest request = call.request();
    boolean user = call.process().toString().equals(USER);
    if (!request.subresource().isEmpty() || !(user || underTest)) {
      return;
    }
    String namespace = request.namespace();
    String bare = namespace.isEmpty() ? name : name.substring(namespace.length() + 1);
    boolean creates = code == 201;
    boolean says = creates || request.isApply();
    Created created =
        new Created(resource, namespace, bare, says && underTest ? content(request) : Map.of());
    if (user && !creates) {
      edited.add(created.toString());
    } else if (user) {
      ofUser.put(created.toString(), created);
    } else if (creates || (says && ofController.containsKey(created.toString()))) {
      ofController.put(created.toString(), created);
      ofUser.remove(created.toString());
    }
  }

  private static Map<String, @Nullable Object> content(ApiRequest request) {
    try {
      return request.object().content();
    } catch (KubernetesException e) {
      return Map.of(); // Not an object: nothing of it is edited.
    }
  }

  /** Forgets the objects of the preparation. */
  void prepared() {
    ofUser.clear();
    edited.clear();
  }

  /**
   * Returns the objects that the controller has created and that still exist.
   *
   * @param names the names of all objects
   */
  List<Created> children(Set<String> names) {
    return ofController.values().stream()
        .filter(created -> names.contains(created.toString()))
        .toList();
  }

  /** Returns the objects that the steps have created. */
  List<Created> ofUser() {
    return List.copyOf(ofUser.values());
  }

  /** Returns whether a step has edited an object that it has not created. */
  boolean isEditedByUser(String rawKey) {
    return edited.contains(rawKey) && !ofUser.containsKey(rawKey);
  }
}
