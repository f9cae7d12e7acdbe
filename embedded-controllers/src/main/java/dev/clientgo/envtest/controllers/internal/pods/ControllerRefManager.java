package dev.clientgo.envtest.controllers.internal.pods;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.controller.CachedResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides which objects an owner controls. It adopts those without a controller that its selector
 * matches, and releases those that it owns but the selector no longer matches.
 *
 * <p>Used by one reconcile. Corresponds to {@code controller.PodControllerRefManager} and its
 * siblings.
 *
 * @param <O> the type of the owner
 * @param <C> the type of the owned objects
 */
public final class ControllerRefManager<O extends KubernetesObject, C extends KubernetesObject> {

  private final CachedResource<O> owners;
  private final O owner;
  private final CachedResource<C> children;
  private final Predicate<? super C> wanted;

  /** Whether the owner may adopt; null until the server was asked. */
  private @Nullable Boolean mayAdopt;

  /** Creates an instance for one owner and one kind of children in its namespace. */
  public ControllerRefManager(
      CachedResource<O> owners, O owner, CachedResource<C> children, Selector selector) {
    this(owners, owner, children, child -> selector.matches(child.metadata().labels()));
  }

  /** Creates an instance for an owner whose children meet a condition. */
  public ControllerRefManager(
      CachedResource<O> owners, O owner, CachedResource<C> children, Predicate<? super C> wanted) {
    this.owners = owners;
    this.owner = owner;
    this.children = children;
    this.wanted = wanted;
  }

  /** Returns the objects that the owner controls after adopting and releasing. */
  public List<C> claim() throws InterruptedException {
    List<C> claimed = new ArrayList<>();
    for (C candidate : children.list()) {
      claim(candidate).ifPresent(claimed::add);
    }
    return claimed;
  }

  private Optional<C> claim(C candidate) throws InterruptedException {
    boolean matches = wanted.test(candidate);
    if (OwnerReferences.hasController(candidate)) {
      if (!OwnerReferences.isControlledBy(candidate, owner)) {
        return Optional.empty();
      }
      if (!matches && !owner.metadata().isBeingDeleted()) {
        release(candidate);
      }
      return matches ? Optional.of(candidate) : Optional.empty();
    }
    return matches && !candidate.metadata().isBeingDeleted() && mayAdopt()
        ? adopt(candidate)
        : Optional.empty();
  }

  /** The cache may not show yet that the owner is being deleted, so the server is asked. */
  private boolean mayAdopt() throws InterruptedException {
    if (mayAdopt == null) {
      mayAdopt =
          !owner.metadata().isBeingDeleted()
              && owners.uncached().find(String.valueOf(owner.metadata().name())).stream()
                  .anyMatch(this::isSameAndLives);
    }
    return mayAdopt;
  }

  private boolean isSameAndLives(O fresh) {
    return Objects.equals(fresh.metadata().uid(), owner.metadata().uid())
        && !fresh.metadata().isBeingDeleted();
  }

  private Optional<C> adopt(C orphan) throws InterruptedException {
    try {
      return Optional.of(children.edit(orphan, o -> OwnerReferences.upsert(o, newReference())));
    } catch (OwnerReferences.AlreadyOwnedException e) {
      return Optional.empty(); // Another controller was faster.
    } catch (ApiStatusException e) {
      return ignoreNotFound(e);
    }
  }

  private dev.clientgo.apimachinery.meta.OwnerReference newReference() {
    return OwnerReferences.newControllerRef(owner);
  }

  private void release(C child) throws InterruptedException {
    try {
      children.edit(
          child,
          c -> OwnerReferences.hasOwner(c, owner) ? OwnerReferences.removeOwner(c, owner) : c);
    } catch (ApiStatusException e) {
      ignoreNotFound(e);
    }
  }

  private Optional<C> ignoreNotFound(ApiStatusException e) {
    if (!e.isNotFound()) {
      throw e;
    }
    return Optional.empty();
  }
}
