package dev.clientgo.controller.scope;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.fields.FieldSelector;
import dev.clientgo.apimachinery.labels.Requirement;
import dev.clientgo.apimachinery.labels.Selector;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one kind that a cache has: those of some namespaces, with some labels and fields,
 * or of several such selections.
 *
 * <pre>{@code
 * Scope managed = Scope.all().inNamespaces("a", "b").withLabels("managed-by=shop");
 * Scope also = Scope.all().inNamespaces("kube-system").withFields("metadata.name=settings");
 * Manager.builder(client).scope(Secret.TYPE, managed.or(also));
 * }</pre>
 *
 * <p>There is one list and watch for each namespace. Two selections cannot share a namespace, since
 * an object that left one of them could be deleted or be in the other; the labels of one selection
 * can be any of several: {@code app in (web, api)}.
 *
 * <p>Immutable. Corresponds to controller-runtime's {@code cache.ByObject}.
 */
public final class Scope {

  /**
   * One selection: the objects that have it all.
   *
   * @param namespaces null for those of the manager
   * @param labels a label selector, empty for all
   * @param fields a field selector, empty for all
   */
  public record Selection(@Nullable SortedSet<String> namespaces, String labels, String fields) {

    /** Creates a selection. */
    public Selection {
      namespaces =
          namespaces == null ? null : Collections.unmodifiableSortedSet(new TreeSet<>(namespaces));
      requireNonNull(labels, "labels");
      requireNonNull(fields, "fields");
    }

    private boolean mayShare(Selection other) {
      return namespaces == null
          || other.namespaces == null
          || !Collections.disjoint(namespaces, other.namespaces);
    }
  }

  private static final Scope ALL = new Scope(Set.of(new Selection(null, "", "")));

  private final Set<Selection> selections;

  private Scope(Set<Selection> selections) {
    for (Selection one : selections) {
      for (Selection other : selections) {
        if (!one.equals(other) && one.mayShare(other)) {
          throw new IllegalArgumentException(
              "two selections of a scope share a namespace, or name none: call inNamespaces(…) for"
                  + " each, or use one selection with labels such as \"app in (a,b)\": "
                  + one
                  + " and "
                  + other);
        }
      }
    }
    this.selections = selections;
  }

  /** Returns the scope of all objects in the namespaces of the manager. */
  public static Scope all() {
    return ALL;
  }

  private Scope map(UnaryOperator<Selection> change) {
    Set<Selection> changed = new LinkedHashSet<>();
    selections.forEach(each -> changed.add(change.apply(each)));
    return new Scope(changed);
  }

  /**
   * Returns the objects of these namespaces only, whichever the manager has. A kind without
   * namespaces ignores them.
   *
   * @throws IllegalArgumentException if there is none, or one is empty
   */
  public Scope inNamespaces(String... namespaces) {
    SortedSet<String> only = new TreeSet<>(List.of(namespaces));
    if (only.isEmpty() || only.contains("")) {
      throw new IllegalArgumentException(
          "a scope needs the names of namespaces, and has " + only + ": Scope.all() has no limit");
    }
    return map(each -> new Selection(only, each.labels, each.fields));
  }

  /**
   * Returns the objects of this scope that also have some labels, such as {@code "app=web"}.
   *
   * @throws IllegalArgumentException if this is not a selector
   */
  public Scope withLabels(String selector) {
    return withLabels(Selector.parse(selector));
  }

  /** Returns the objects of this scope that also have some labels. */
  public Scope withLabels(Selector selector) {
    Requirement[] more = selector.requirements().toArray(Requirement[]::new);
    if (selector.isNothing()) {
      throw new IllegalArgumentException("the selector selects nothing, so the cache stays empty");
    }
    return map(
        each ->
            new Selection(
                each.namespaces, Selector.parse(each.labels).and(more).toString(), each.fields));
  }

  /**
   * Returns the objects of this scope that also have some fields, such as {@code
   * "metadata.name=settings"}. The server decides which fields it can select by.
   *
   * @throws IllegalArgumentException if this is not a selector
   */
  public Scope withFields(String selector) {
    FieldSelector more = FieldSelector.parse(selector);
    return map(
        each ->
            new Selection(
                each.namespaces,
                each.labels,
                FieldSelector.and(FieldSelector.parse(each.fields), more).toString()));
  }

  /**
   * Returns the objects of this scope, and those of another.
   *
   * @throws IllegalArgumentException if they share a namespace, or one of them names none
   */
  public Scope or(Scope other) {
    Set<Selection> both = new LinkedHashSet<>(selections);
    both.addAll(other.selections);
    return new Scope(both);
  }

  /** Returns the selections, of which an object must be in one. */
  public Stream<Selection> selections() {
    return selections.stream();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Scope scope && selections.equals(scope.selections);
  }

  @Override
  public int hashCode() {
    return selections.hashCode();
  }

  @Override
  public String toString() {
    return selections.toString();
  }
}
