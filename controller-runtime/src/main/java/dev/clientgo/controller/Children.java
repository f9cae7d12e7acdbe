package dev.clientgo.controller;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.validation.NameRule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The objects that an owner should have, as a set: {@link #apply} creates what is missing, changes
 * what differs, and deletes what is no longer desired.
 *
 * <pre>{@code
 * ChildrenResult children = context.children(site).apply(pages(site), servers(site), service(site));
 * // ... the status of the site: children.isReady(), children.message()
 * children.orThrow(); // If a child has failed, the controller tries again.
 * }</pre>
 *
 * <p><b>Order.</b> {@link #whenReady} begins a stage, which is applied only while all children of
 * the earlier stages are {@linkplain dev.clientgo.apimachinery.readiness.Readiness ready}:
 *
 * <pre>{@code
 * context.children(shop).add(database, volume).whenReady().add(web, service).apply();
 * }</pre>
 *
 * <p><b>Membership.</b> Each child gets the owner as its controller, and the label {@value #SET}. A
 * child that has lost one of both is no longer a member. The label has the name of the controller,
 * which must have no dot: if two programs give children to the same owner, their controllers need
 * different names, or each deletes those of the other; and if a controller gets another name, its
 * children are taken. The kinds of a set are those that the controller {@linkplain
 * ControllerBuilder#owns owns}, so the last child of a kind is deleted, too. An object of another
 * owner, or of none, is never changed: its name is {@linkplain ChildrenResult.State#NAME_TAKEN
 * taken}.
 *
 * <p><b>Writes.</b> A child is applied as by {@link CachedResource#apply}, which sends nothing if
 * nothing has changed. It is created only if the server has no object of that name, so none is
 * taken over. Children are deleted last, and only if all desired children are applied; with the uid
 * and the version that were seen, so that an object that is new, or was given away, survives an old
 * cache; and after the server has confirmed the owner: if that has changed since it was read, but
 * for its status, the deletion fails as a conflict, since the new owner may desire the child. A
 * child that is being deleted already is left alone. A search for members looks at each object of
 * the owned kinds in the namespace of the owner.
 *
 * <p><b>Events.</b> The owner gets an event for each child that was created, updated or deleted,
 * and for each that failed.
 *
 * <p>If the owner is being deleted, desired children are not applied; an empty set deletes all
 * children. Immutable, safe for use by many threads; an apply runs in the thread of its caller.
 * controller-runtime has nothing like it.
 */
public final class Children {

  /** The label of each child, with the name of the controller and of the set: {@value}. */
  public static final String SET = "children.clientgo.dev/set";

  private final Runner runner;
  private final KubernetesObject owner;
  private final String label;
  private final boolean applySet;

  /** Null until the caller has told the children: nothing is not an empty set. */
  private final @Nullable List<List<KubernetesObject>> stages;

  private Children(
      Runner runner,
      KubernetesObject owner,
      String label,
      boolean applySet,
      @Nullable List<List<KubernetesObject>> stages) {
    this.runner = runner;
    this.owner = owner;
    this.label = label;
    this.applySet = applySet;
    this.stages = stages;
  }

  /** Applies the stages of a set. */
  interface Runner {
    ChildrenResult run(
        KubernetesObject owner, String label, boolean applySet, List<List<KubernetesObject>> stages)
        throws InterruptedException;
  }

  /** Returns the set of that name, empty for the only one, of an owner. */
  static Children of(Runner runner, String controller, KubernetesObject owner, String set) {
    if (controller.contains(".")) { // Or "a.b" would share its label with the set "b" of "a".
      throw new IllegalArgumentException(
          "the name of a controller with children must not have a dot, which is before the name of"
              + " a set: "
              + controller);
    }
    String label = set.isEmpty() ? controller : controller + "." + set;
    NameRule.LABEL_VALUE.require("the name of the controller and of its set of children", label);
    return new Children(runner, requireNonNull(owner, "owner"), label, false, null);
  }

  /**
   * Returns this set, which other tools recognize as an ApplySet (KEP-3659): each child gets the
   * label {@code applyset.kubernetes.io/part-of}, and the owner is marked as its parent, for which
   * the controller needs the verb {@code patch}. The definition of the owner's kind should have the
   * label {@code applyset.kubernetes.io/is-parent-type}.
   *
   * <p>Such a set may also have cluster-scoped children of a namespaced owner, by the labels alone:
   * their changes do not reconcile the owner, so ask for another reconcile while they are not
   * ready; and no garbage collector deletes them. Delete them by an empty set, in a {@linkplain
   * dev.clientgo.controller.finalizer.FinalizerSet finalizer}; it then reads them from the server.
   */
  public Children applySet() {
    return new Children(runner, owner, label, true, stages);
  }

  /** Returns this set with more children in its last stage. */
  public Children add(KubernetesObject... children) {
    return add(List.of(children));
  }

  /**
   * Returns this set with more children in its last stage. A child needs no namespace if that is
   * the one of the owner.
   */
  public Children add(List<? extends KubernetesObject> children) {
    List<List<KubernetesObject>> all =
        new ArrayList<>(stages == null ? List.of(List.of()) : stages);
    List<KubernetesObject> last = new ArrayList<>(all.remove(all.size() - 1));
    last.addAll(List.copyOf(children)); // Refuses null.
    all.add(List.copyOf(last));
    return new Children(runner, owner, label, applySet, List.copyOf(all));
  }

  /**
   * Returns this set with another stage, for children that need those added before.
   *
   * @throws IllegalStateException if none were added before
   */
  public Children whenReady() {
    List<List<KubernetesObject>> all = new ArrayList<>(stages());
    all.add(List.of());
    return new Children(runner, owner, label, applySet, List.copyOf(all));
  }

  /** Adds the children and applies the set; see {@link #apply()}. */
  public ChildrenResult apply(KubernetesObject... children) throws InterruptedException {
    return add(children).apply();
  }

  /** Adds the children and applies the set; an empty list deletes those that are there. */
  public ChildrenResult apply(List<? extends KubernetesObject> children)
      throws InterruptedException {
    return add(children).apply();
  }

  /**
   * Applies the set. The failure of a child does not keep the others from being applied.
   *
   * @return the state of each child, and of each that is no longer desired
   * @throws IllegalStateException if no children were {@linkplain #add added}, or the owner is the
   *     parent of another tool's ApplySet, such as that of a second controller
   * @throws IllegalArgumentException if a child cannot belong to the set, and nothing is sent: its
   *     kind is not owned, it has no name or that of another child, or it is outside of the owner's
   *     namespace, or of what the manager follows
   */
  public ChildrenResult apply() throws InterruptedException {
    return runner.run(owner, label, applySet, stages());
  }

  private List<List<KubernetesObject>> stages() {
    if (stages == null) {
      throw new IllegalStateException(
          "nothing was added to the set: call add(…) first; an empty list deletes all children");
    }
    return stages;
  }
}
