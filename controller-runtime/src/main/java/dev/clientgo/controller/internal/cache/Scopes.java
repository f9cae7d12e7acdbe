package dev.clientgo.controller.internal.cache;

import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.controller.scope.Scope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The objects of each kind that a manager follows, and its namespaces, which may change.
 *
 * <p>Safe for use by many threads.
 */
public final class Scopes {

  private final Map<GroupResource, Scope> scopes;

  /** Whether a read may start an informer. */
  private final boolean startsByRead;

  private final ReentrantLock lock = new ReentrantLock();

  /** Null for no limit. */
  private volatile @Nullable SortedSet<String> namespaces;

  /** The namespaces that were removed, and not added again. */
  private final RecentStrings removed = new RecentStrings();

  /**
   * Creates an instance.
   *
   * @param namespaces those of scopes that name none; null for no limit
   * @param scopes the scopes of some kinds; of the others all objects are followed
   */
  public Scopes(
      @Nullable Collection<String> namespaces,
      Map<GroupResource, Scope> scopes,
      boolean startsByRead) {
    this.namespaces = namespaces == null ? null : sorted(namespaces);
    this.scopes = Map.copyOf(scopes);
    this.startsByRead = startsByRead;
  }

  private static SortedSet<String> sorted(Collection<String> namespaces) {
    return Collections.unmodifiableSortedSet(new TreeSet<>(namespaces));
  }

  /** Returns the scope of a kind. */
  public Scope of(ResourceType<?> type) {
    return scopes.getOrDefault(type.resource().groupResource(), Scope.all());
  }

  /** Returns whether the namespaces of the manager are limited, so that they may change. */
  public boolean isLimited() {
    return namespaces != null;
  }

  /** Returns the namespaces of the manager; empty if they are not limited. */
  public SortedSet<String> namespaces() {
    SortedSet<String> current = namespaces;
    return current == null ? Collections.emptySortedSet() : current;
  }

  /** Adds a namespace; returns false if it is among them. */
  boolean add(String namespace) {
    return change(namespace, true);
  }

  /** Removes a namespace; returns false if it is not among them. */
  boolean remove(String namespace) {
    return change(namespace, false);
  }

  private boolean change(String namespace, boolean isAdded) {
    if (namespace.isEmpty()) {
      throw new IllegalArgumentException("a namespace has a name");
    }
    lock.lock();
    try {
      if (!isLimited()) {
        throw new IllegalStateException(
            "the manager follows all namespaces: call ManagerBuilder.inNamespaces(…), which may"
                + " name none at first");
      }
      SortedSet<String> changed = new TreeSet<>(namespaces());
      boolean hasChanged = isAdded ? changed.add(namespace) : changed.remove(namespace);
      if (hasChanged && isAdded) {
        removed.remove(namespace);
      } else if (hasChanged) {
        removed.add(namespace);
      }
      namespaces = sorted(changed);
      return hasChanged;
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether the namespace is among the last that were removed and not added again. */
  public boolean wasRemoved(String namespace) {
    return removed.contains(namespace);
  }

  /** Returns whether a scope has other parts after the namespaces of the manager have changed. */
  boolean mayChange(ResourceType<?> type, Scope scope) {
    return isLimited()
        && type.isNamespaced()
        && scope.selections().anyMatch(each -> each.namespaces() == null);
  }

  /**
   * Returns what the informers of a scope follow now.
   *
   * @throws IllegalArgumentException if the kind has no namespaces, and the scope several
   *     selections
   */
  List<CachePart> parts(ResourceType<?> type, Scope scope) {
    if (!type.isNamespaced() && scope.selections().count() > 1) {
      throw new IllegalArgumentException(
          type + " has no namespaces, so its scope can have one selection: " + scope);
    }
    List<CachePart> parts = new ArrayList<>();
    scope
        .selections()
        .forEach(
            each -> {
              for (String namespace : namespacesOf(type, each)) {
                parts.add(new CachePart(namespace, each.labels(), each.fields()));
              }
            });
    return parts;
  }

  private Set<String> namespacesOf(ResourceType<?> type, Scope.Selection selection) {
    if (!type.isNamespaced()) {
      return Set.of("");
    }
    Set<String> own = selection.namespaces();
    return own != null ? own : isLimited() ? namespaces() : Set.of("");
  }

  boolean startsByRead() {
    return startsByRead;
  }

  /** Throws unless an informer may be started by a read. */
  void requireStartByRead(ResourceType<?> type) {
    if (!startsByRead) {
      throw new IllegalStateException(
          "nothing watches %s, and the manager fails on reads of such kinds (failOnUnwatched): add forKind, owns or watches(%s.TYPE, …) to a controller, or read it with uncached()"
              .formatted(type, type.kind().kind()));
    }
  }
}
