package dev.clientgo.leaderelection.shard;

import dev.clientgo.clock.Clock;
import dev.clientgo.leaderelection.internal.Fence;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The slots that this member acts for, or has just given away. */
final class OwnedSlots {

  /** Receives changes of slots. */
  interface Listener {

    /** This member should own these slots, and no others. */
    void expects(SortedSet<Integer> slots);

    /** This member acts for these slots from now on. */
    void taken(SortedSet<Integer> slots);

    /** This member no longer acts for these slots. */
    void left(SortedSet<Integer> slots, String reason);

    /** The object of this work no longer belongs to this member. */
    void lost(ShardWork work);
  }

  private final ShardSettings settings;
  private final SafetyRules rules;
  private final Clock clock;
  private final Agenda agenda;
  private final Listener listener;
  private final @Nullable SlotTerm[] terms;

  /** For each slot, the version of the record on which this member has tried to give it away. */
  private final int[] givenAwayAt;

  /** The member that should own each slot, as last reported to the listener; null before. */
  private @Nullable List<@Nullable MemberId> plan;

  private @Nullable SortedSet<Integer> expected;
  private final SortedSet<Integer> taken = new TreeSet<>();
  private final Map<String, SortedSet<Integer>> left = new TreeMap<>();

  OwnedSlots(
      ShardSettings settings, SafetyRules rules, Clock clock, Agenda agenda, Listener listener) {
    this.settings = settings;
    this.rules = rules;
    this.clock = clock;
    this.agenda = agenda;
    this.listener = listener;
    int slots = settings.slots().count();
    terms = new SlotTerm[slots];
    givenAwayAt = new int[slots];
    forgetGiven();
  }

  @Nullable SlotTerm term(int slot) {
    return terms[slot];
  }

  // ---- work

  /** Begins work on an object; empty if this member does not own it, or will soon give it away. */
  Optional<ShardWork> begin(String uid, Runnable onLost, Consumer<ShardWork> onClose) {
    SlotTerm term = terms[settings.slots().of(uid)];
    if (term == null || term.draining || term.fence.isOver()) {
      return Optional.empty();
    }
    ShardWork work = new ShardWork(term, onLost, onClose);
    term.active.add(work);
    return Optional.of(work);
  }

  /** Ends work. Returns whether its slot can be given away now. */
  boolean ended(ShardWork work) {
    SlotTerm term = work.term();
    return term.active.remove(work) && term.draining && term.active.isEmpty();
  }

  // ---- beginning and ending

  /**
   * Notes which slots this member should own.
   *
   * @param wanted the member that should own each slot
   */
  void expect(MemberId me, List<@Nullable MemberId> wanted) {
    if (wanted.equals(plan)) {
      return;
    }
    plan = wanted;
    SortedSet<Integer> mine = new TreeSet<>();
    for (int slot = 0; slot < wanted.size(); slot++) {
      if (me.equals(wanted.get(slot))) {
        mine.add(slot);
      }
    }
    expected = mine;
  }

  /**
   * Begins and ends terms as the record says.
   *
   * @param wanted the member that should own each slot
   * @param deadline when the fences of new terms end
   */
  void update(MemberId me, Assignment record, List<@Nullable MemberId> wanted, long deadline) {
    for (int slot = 0; slot < terms.length; slot++) {
      boolean mine = me.equals(record.owner(slot));
      boolean isWanted = me.equals(wanted.get(slot));
      SlotTerm term = terms[slot];
      if (term != null && !mine) {
        end(term, "the record names another owner");
      } else if (term != null && isWanted && term.fence.isOver()) {
        end(term, "its work did not end in time");
      } else if (term != null && isWanted && term.draining) {
        term.draining = false;
        taken.add(slot); // What came meanwhile was dropped.
      } else if (term != null && !isWanted) {
        drain(term);
      }
      if (terms[slot] == null
          && mine
          && isWanted
          && rules.isNewer(record.version(), givenAwayAt[slot])) {
        terms[slot] = new SlotTerm(slot, new Fence(clock, deadline, refusal(slot)));
        taken.add(slot);
      }
    }
  }

  private Fence.Refusal refusal(int slot) {
    return (happened, since, reason, sent, cause) ->
        new ShardLostException(happened, settings, slot, since, reason, sent, cause);
  }

  private void drain(SlotTerm term) {
    if (!term.draining) {
      term.drain(agenda.now());
    }
    if (!term.active.isEmpty()
        && !term.fence.isOver()
        && agenda.isDue(term.drainingSince + settings.timings().renewDeadline().toNanos())) {
      term.fence.end("the slot goes to another member, and its work did not end in time");
      term.active.forEach(listener::lost);
    }
  }

  /**
   * Returns whether a slot can be given away: its work has ended, or the writes of that were
   * refused for long enough that those on their way have taken effect.
   */
  boolean isDrained(int slot) {
    SlotTerm term = terms[slot];
    return term == null
        || !rules.mustWait(term)
        || (term.draining
            && term.fence.isOver()
            && agenda.isDue(term.drainingSince + settings.timings().leaseDuration().toNanos()));
  }

  /** Ends the term of a slot that this member tries to give away by a write of the record. */
  void giveAway(int slot, int version) {
    givenAwayAt[slot] = version;
    SlotTerm term = terms[slot];
    if (term != null) {
      end(term, "it goes to another member");
    }
  }

  /** Forgets which slots were given away: the record is a new one. */
  void forgetGiven() {
    Arrays.fill(givenAwayAt, -1);
  }

  void renew(long deadline) {
    for (SlotTerm term : terms) {
      if (term != null) {
        term.fence.renew(deadline);
      }
    }
  }

  void endAll(String reason) {
    for (SlotTerm term : terms) {
      if (term != null) {
        end(term, reason);
      }
    }
  }

  private void end(SlotTerm term, String reason) {
    term.fence.end(reason);
    term.active.forEach(listener::lost);
    terms[term.slot] = null;
    left.computeIfAbsent(reason, any -> new TreeSet<>()).add(term.slot);
  }

  /** Reports to the listener what has changed since the last call. */
  void report() {
    if (expected != null) {
      listener.expects(expected);
      expected = null;
    }
    left.forEach((reason, slots) -> listener.left(slots, reason));
    left.clear();
    if (!taken.isEmpty()) {
      listener.taken(new TreeSet<>(taken));
      taken.clear();
    }
  }

  /** Returns the slots that this member acts for. */
  SortedSet<Integer> acting() {
    SortedSet<Integer> slots = new TreeSet<>();
    for (SlotTerm term : terms) {
      if (term != null && !term.draining && !term.fence.isOver()) {
        slots.add(term.slot);
      }
    }
    return slots;
  }
}
