package dev.clientgo.controller;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The states of the children of an owner after {@link Children#apply}. Immutable. */
public final class ChildrenResult {

  /** How many children a message names. */
  private static final int MAX_NAMES = 10;

  /** The length of its part of a message: a server may answer with a whole pod template. */
  private static final int MAX_LENGTH = 1000;

  private final List<Child> children;

  ChildrenResult(List<Child> children) {
    this.children = List.copyOf(children);
  }

  /** The state of a child. */
  public enum State {
    /** It is as desired, and does its work. */
    READY,
    /** It is as desired, but not ready yet; or it never will be, as the message says. */
    NOT_READY,
    /**
     * It was not applied: children of an earlier stage, or the owner, are not in a state for it.
     */
    WAITING,
    /** An object of its name is being deleted. The child will be applied when that is gone. */
    TERMINATING,
    /** It is no longer desired, and is deleted; finalizers may keep it for a while. */
    DELETED,
    /** It is no longer desired, and is kept until all desired children are applied. */
    KEPT,
    /** An object of its name belongs to another owner, or to none, and was not changed. */
    NAME_TAKEN,
    /** The server refused it, or did not answer. */
    FAILED
  }

  /**
   * A child.
   *
   * @param operation what was done, and the object as it is now; null if the child was not applied
   * @param message why it is in that state, for people
   * @param error why it has failed; null if the server has not refused it
   */
  public record Child(
      GroupVersionKind kind,
      ObjectName name,
      State state,
      @Nullable Operation<?> operation,
      String message,
      @Nullable KubernetesException error) {

    public Child {
      requireNonNull(kind, "kind");
      requireNonNull(name, "name");
      requireNonNull(state, "state");
      requireNonNull(message, "message");
    }

    /** Returns whether it could not be applied or deleted, and only another attempt may help. */
    public boolean isFailed() {
      return state == State.FAILED || state == State.NAME_TAKEN;
    }

    private boolean isDesired() {
      return state != State.DELETED && state != State.KEPT;
    }

    @Override
    public String toString() {
      return kind.kind() + " " + name + ": " + message;
    }
  }

  /** Returns the children in the order of the set, and then those that are no longer desired. */
  public List<Child> children() {
    return children;
  }

  /** Returns the children in a state. */
  public List<Child> in(State state) {
    return children.stream().filter(child -> child.state() == state).toList();
  }

  /** Returns the children that {@linkplain Child#isFailed failed}. */
  public List<Child> failed() {
    return children.stream().filter(Child::isFailed).toList();
  }

  /** Returns whether all desired children are applied and ready. */
  public boolean isReady() {
    return notReady().findAny().isEmpty();
  }

  private Stream<Child> notReady() {
    return children.stream().filter(child -> child.isDesired() && child.state() != State.READY);
  }

  /**
   * Returns which children are not ready, and why, for a condition; empty if all are. It is cut to
   * the length of a condition; {@link #children} has all.
   */
  public String message() {
    return text(notReady().toList(), "; ");
  }

  /** Returns the first of a list, which may be long. */
  static String text(List<?> items, String separator) {
    String first =
        items.stream()
            .limit(MAX_NAMES)
            .map(each -> cut(each.toString()))
            .collect(Collectors.joining(separator));
    int more = items.size() - MAX_NAMES;
    return more > 0 ? first + separator + "and " + more + " more" : first;
  }

  private static String cut(String text) {
    if (text.length() <= MAX_LENGTH) {
      return text;
    }
    boolean splits = Character.isHighSurrogate(text.charAt(MAX_LENGTH - 1));
    return text.substring(0, splits ? MAX_LENGTH - 1 : MAX_LENGTH) + "...";
  }

  /**
   * Returns a child as the server has it, by the object with which it was applied; empty if it was
   * not applied.
   */
  @SuppressWarnings("unchecked") // Objects of one kind have one Java type in a set.
  public <T extends KubernetesObject> Optional<T> find(T desired) {
    ObjectName name = ObjectName.of(desired);
    return children.stream()
        .filter(child -> child.isDesired() && child.operation() != null)
        .filter(child -> child.kind().kind().equals(desired.kind()))
        .filter(child -> child.kind().apiVersion().equals(desired.apiVersion()))
        .filter(child -> child.name().name().equals(name.name()))
        .filter(child -> name.namespace().isEmpty() || name.equals(child.name()))
        .findFirst()
        .map(child -> (T) requireNonNull(child.operation()).object());
  }

  /**
   * Returns this result if no child {@linkplain Child#isFailed failed}.
   *
   * @throws ChildrenException if some have; the message names each
   */
  public ChildrenResult orThrow() {
    if (!failed().isEmpty()) {
      throw new ChildrenException(
          text(failed(), "; "),
          failed().stream().flatMap(child -> Stream.ofNullable(child.error())).toList());
    }
    return this;
  }

  @Override
  public String toString() {
    return children.stream()
        .map(child -> child.state() + " " + child)
        .collect(Collectors.joining("; "));
  }
}
