package dev.clientgo.leaderelection.shard;

import dev.clientgo.apimachinery.sharding.ShardField;
import dev.clientgo.apimachinery.sharding.ShardRange;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a group: equal ranges of the hashes of uids. Their number is a power of two, so the
 * upper bits of a hash are the number of its slot. Immutable.
 */
record Slots(int count) {

  /** The largest number of slots: the Lease of the group lists the owner of each. */
  static final int MAX = 4096;

  Slots {
    if (count < 1 || count > MAX || Integer.bitCount(count) != 1) {
      throw new IllegalArgumentException(
          "the number of slots must be a power of two from 1 to " + MAX + ": " + count);
    }
  }

  /** Returns the slot of the object with that uid. */
  int of(String uid) {
    int bits = Integer.numberOfTrailingZeros(count);
    return bits == 0 ? 0 : (int) (ShardField.hash(uid) >>> (Long.SIZE - bits));
  }

  /** Returns what selects the objects of some slots. */
  ShardSelector selector(Collection<Integer> slots) {
    int shift = Long.SIZE - Integer.numberOfTrailingZeros(count);
    List<ShardRange> ranges = new ArrayList<>();
    for (int slot : slots) {
      // A shift by 64 bits would be one by none. The end of the last slot, 2^64, is 0.
      ranges.add(
          count == 1 ? ShardRange.ALL : new ShardRange((long) slot << shift, (slot + 1L) << shift));
    }
    return new ShardSelector(ShardField.UID, ranges);
  }

  /**
   * Returns the member that should own a slot, by rendezvous hashing: the one with the highest
   * score. So if a member joins, slots move to it alone, and if one leaves, only its slots move.
   */
  static @Nullable MemberId owner(int slot, Collection<Candidate> candidates) {
    Candidate best = null;
    for (Candidate next : candidates) {
      if (best == null || next.isBefore(best, slot)) {
        best = next;
      }
    }
    return best == null ? null : best.member;
  }

  /**
   * A member that can own slots.
   *
   * @param seed the hash of its identity, which stays the same if it gets another Lease
   */
  record Candidate(MemberId member, String identity, long seed) {

    Candidate(MemberId member, String identity) {
      this(member, identity, ShardField.hash(identity));
    }

    private boolean isBefore(Candidate other, int slot) {
      int byScore = Long.compareUnsigned(score(slot), other.score(slot));
      return byScore != 0 ? byScore > 0 : identity.compareTo(other.identity) < 0;
    }

    private long score(int slot) {
      return mixed(seed ^ mixed(slot + 1L));
    }

    /** Spreads similar numbers: the last step of MurmurHash3. */
    private static long mixed(long value) {
      long mixed = value;
      mixed = (mixed ^ (mixed >>> 33)) * 0xff51afd7ed558ccdL;
      mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
      return mixed ^ (mixed >>> 33);
    }
  }

  /** Returns slots as people read them, such as {@code 0-5,9}. */
  static String text(Collection<Integer> slots) {
    StringBuilder text = new StringBuilder();
    int first = -1;
    int last = -1;
    for (int slot : new TreeSet<>(slots)) {
      if (first >= 0 && slot == last + 1) {
        last = slot;
        continue;
      }
      append(text, first, last);
      first = slot;
      last = slot;
    }
    append(text, first, last);
    return text.toString();
  }

  private static void append(StringBuilder text, int first, int last) {
    if (first < 0) {
      return;
    }
    text.append(text.isEmpty() ? "" : ",").append(first);
    if (last > first) {
      text.append('-').append(last);
    }
  }

  /**
   * Parses the form of {@link #text(Collection)}.
   *
   * @throws IllegalArgumentException if the text has another form, or names a slot that there is
   *     not
   */
  SortedSet<Integer> parse(String text) {
    SortedSet<Integer> slots = new TreeSet<>();
    for (String part : text.split(",", -1)) {
      String[] bounds = part.split("-", 2);
      try {
        int first = Integer.parseInt(bounds[0].strip());
        int last = Integer.parseInt(bounds[bounds.length - 1].strip());
        if (first < 0 || first > last || last >= count) {
          throw new IllegalArgumentException("there are no slots " + part + " among " + count);
        }
        for (int slot = first; slot <= last; slot++) {
          slots.add(slot);
        }
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("\"" + part + "\" is not a slot or a range of slots", e);
      }
    }
    return slots;
  }
}
