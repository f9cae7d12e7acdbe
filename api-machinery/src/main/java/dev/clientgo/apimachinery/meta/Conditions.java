package dev.clientgo.apimachinery.meta;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.clock.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The conditions in the status of an object: at most one of each type.
 *
 * <pre>{@code
 * widgets.editStatus(name, w -> w.with(b -> b.editStatus(s ->
 *     s.editConditions("Ready", c -> c.status(Conditions.TRUE).reason("Started")))));
 *
 * // The same for an object without a type, and with a clock of your own:
 * List<Condition> now = Conditions.set(widget.nested(Conditions.CODEC, PATH).orElse(null), ready, clock);
 * widget.withNested(Conditions.CODEC, now, PATH);
 * }</pre>
 *
 * <p>{@code editConditions}, which builders of statuses have, begins with an absent status and an
 * absent list too; a condition whose status changes gets the time now as its {@code
 * lastTransitionTime}, as it does from {@link #set}.
 *
 * <p>These functions return an unchanged list itself, so {@code ==} shows whether there is a change
 * to write. Null counts as an empty list. Corresponds to the functions of apimachinery's {@code
 * api/meta} on conditions.
 */
public final class Conditions {

  /** The status of a condition that holds. */
  public static final String TRUE = "True";

  /** The status of a condition that does not hold. */
  public static final String FALSE = "False";

  /** The status of a condition that cannot be determined. */
  public static final String UNKNOWN = "Unknown";

  /** Reads and writes lists of conditions. */
  public static final JsonCodec<List<Condition>> CODEC = JsonCodecs.list(Condition.CODEC);

  private Conditions() {}

  /** Returns the condition of a type. */
  public static Optional<Condition> find(@Nullable List<Condition> conditions, String type) {
    return conditions == null
        ? Optional.empty()
        : conditions.stream().filter(condition -> type.equals(condition.type())).findFirst();
  }

  /** Returns whether the condition of a type exists and is True. */
  public static boolean isTrue(@Nullable List<Condition> conditions, String type) {
    return isPresentAndEqual(conditions, type, TRUE);
  }

  /** Returns whether the condition of a type exists and is False. */
  public static boolean isFalse(@Nullable List<Condition> conditions, String type) {
    return isPresentAndEqual(conditions, type, FALSE);
  }

  /** Returns whether the condition of a type exists and has this status. */
  public static boolean isPresentAndEqual(
      @Nullable List<Condition> conditions, String type, String status) {
    return find(conditions, type).filter(found -> status.equals(found.status())).isPresent();
  }

  /**
   * Returns conditions with one added, or replaced if there is one of its type.
   *
   * <p>Keeps the {@code lastTransitionTime} unless the status changes; then takes the given one, or
   * else the current time.
   *
   * @param condition a condition with a type
   * @param clock gives the current time
   */
  public static List<Condition> set(
      @Nullable List<Condition> conditions, Condition condition, Clock clock) {
    requireNonNull(condition.type(), "the condition has no type");
    List<Condition> before = conditions == null ? List.of() : conditions;
    @Nullable Condition present = find(before, condition.type()).orElse(null);
    Condition next =
        condition.with(c -> c.lastTransitionTime(transition(present, condition, clock)));
    if (next.equals(present)) {
      return before;
    }
    List<Condition> after = new ArrayList<>(before);
    if (present == null) {
      after.add(next);
    } else {
      after.set(before.indexOf(present), next);
    }
    return List.copyOf(after);
  }

  private static @Nullable Time transition(
      @Nullable Condition present, Condition next, Clock clock) {
    if (present != null && Objects.equals(present.status(), next.status())) {
      return present.lastTransitionTime();
    }
    return next.lastTransitionTime() != null ? next.lastTransitionTime() : Time.now(clock);
  }

  /** Returns conditions without the one of a type. */
  public static List<Condition> remove(@Nullable List<Condition> conditions, String type) {
    List<Condition> before = conditions == null ? List.of() : conditions;
    List<Condition> after =
        before.stream().filter(condition -> !type.equals(condition.type())).toList();
    return after.size() == before.size() ? before : after;
  }
}
