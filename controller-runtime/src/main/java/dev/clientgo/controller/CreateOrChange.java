package dev.clientgo.controller;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Creates an object if it is missing, and changes it otherwise.
 *
 * <p>The object of the cache decides whether there is something to do. A change is computed again
 * from the object of the server, because the cache may be older, and its transform may have removed
 * fields.
 */
final class CreateOrChange<T extends KubernetesObject> {

  private static final String STATUS = "status";

  /** How often the cache may be wrong about whether the object exists. */
  private static final int ATTEMPTS = 5;

  private final CachedResource<T> resource;
  private final ResourceType<T> type;
  private final T initial;
  private final UnaryOperator<T> change;
  private final String name;

  /**
   * Creates an instance.
   *
   * @param resource the client in the namespace of the object
   */
  CreateOrChange(CachedResource<T> resource, T initial, UnaryOperator<T> change) {
    this.resource = resource;
    this.type = resource.uncached().type();
    this.initial = initial;
    this.change = requireNonNull(change, "change");
    String given = initial.metadata().name();
    if (given == null || given.isEmpty()) {
      throw new IllegalArgumentException(
          "the object of " + type + " has no name, by which to find the one that exists");
    }
    this.name = given;
  }

  /** Does it for the object without its status. */
  Operation<T> run() throws InterruptedException {
    return run(resource.known(name), false);
  }

  /** Does it for the object and its status. */
  Operation<T> runWithStatus() throws InterruptedException {
    Operation<T> main = run(resource.known(name), true);
    T wanted = changed(main.object());
    if (Objects.equals(status(wanted), status(main.object()))) {
      return main;
    }
    T written = resource.editStatus(main.object(), this::changed);
    return new Operation<>(withStatus(main.result(), main.object(), written), written);
  }

  private static OperationResult withStatus(
      OperationResult main, KubernetesObject before, KubernetesObject after) {
    if (main == OperationResult.CREATED || isSameVersion(before, after)) {
      return main;
    }
    return main == OperationResult.UPDATED
        ? OperationResult.UPDATED_STATUS
        : OperationResult.UPDATED_STATUS_ONLY;
  }

  private Operation<T> run(@Nullable T cached, boolean statusApart) throws InterruptedException {
    T known = cached;
    for (int attempt = 1; ; attempt++) {
      try {
        if (known == null) {
          return new Operation<>(OperationResult.CREATED, resource.create(changed(initial)));
        }
        T wanted = changed(known);
        boolean same =
            statusApart ? withoutStatus(wanted).equals(withoutStatus(known)) : wanted.equals(known);
        return same ? new Operation<>(OperationResult.UNCHANGED, known) : edit();
      } catch (ApiStatusException e) {
        // The cache was older than the server.
        boolean appeared = known == null && e.isAlreadyExists();
        boolean disappeared = known != null && e.isNotFound() && !e.isUnexpectedServerError();
        if (attempt == ATTEMPTS || !(appeared || disappeared)) {
          throw e;
        }
        known = appeared ? resource.uncached().find(name).orElse(null) : null;
      }
    }
  }

  private Operation<T> edit() throws InterruptedException {
    String[] version = new String[1];
    T written =
        resource.edit(
            name,
            current -> {
              version[0] = current.metadata().resourceVersion();
              return changed(current);
            });
    boolean same = Objects.equals(version[0], written.metadata().resourceVersion());
    return new Operation<>(same ? OperationResult.UNCHANGED : OperationResult.UPDATED, written);
  }

  private static boolean isSameVersion(KubernetesObject a, KubernetesObject b) {
    return Objects.equals(a.metadata().resourceVersion(), b.metadata().resourceVersion());
  }

  private T changed(T object) {
    T wanted = requireNonNull(change.apply(object), "the change of the object is null");
    if (!Objects.equals(wanted.metadata().name(), object.metadata().name())
        || !Objects.equals(wanted.metadata().namespace(), object.metadata().namespace())) {
      throw new IllegalArgumentException(
          "the change must keep the name and the namespace of the object: it made "
              + ObjectName.of(wanted)
              + " of "
              + ObjectName.of(object));
    }
    return wanted;
  }

  private Map<String, @Nullable Object> withoutStatus(T object) {
    Map<String, @Nullable Object> rest =
        new LinkedHashMap<>(Unstructured.from(type.codec(), object).content());
    rest.remove(STATUS);
    return rest;
  }

  private @Nullable Object status(T object) {
    return Unstructured.from(type.codec(), object).content().get(STATUS);
  }
}
