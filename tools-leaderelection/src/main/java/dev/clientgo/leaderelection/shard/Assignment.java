package dev.clientgo.leaderelection.shard;

import static java.util.Objects.requireNonNull;

import dev.clientgo.kubernetes.coordination.v1.Lease;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The owner of each slot, as the Lease of the group records it. Each change of it is a write that
 * fails if another member was faster. Immutable.
 *
 * @param version grows by one with each write
 * @param owners the owner of each slot; null for a slot that is free
 */
record Assignment(int version, List<@Nullable MemberId> owners) {

  /** The annotation of the group's Lease with the number of slots. */
  static final String SLOTS = "shards.clientgo.dev/slots";

  /** The annotation of the group's Lease with the slots of each member, one member a line. */
  static final String OWNERS = "shards.clientgo.dev/owners";

  Assignment {
    owners = Collections.unmodifiableList(new ArrayList<>(owners));
  }

  /** Returns the assignment in which all slots are free. */
  static Assignment free(int slots) {
    return new Assignment(0, Collections.nCopies(slots, null));
  }

  /**
   * Reads the Lease of a group.
   *
   * @throws IllegalArgumentException if an annotation cannot be read; the message names it
   */
  static Assignment of(Lease lease) {
    Map<String, String> annotations = lease.metadata().annotations();
    Integer version = lease.spec().leaseTransitions();
    Slots slots = new Slots(number(annotations));
    List<@Nullable MemberId> owners = new ArrayList<>(Collections.nCopies(slots.count(), null));
    String text = annotations.getOrDefault(OWNERS, "");
    try {
      for (String line : text.lines().filter(line -> !line.isBlank()).toList()) {
        int colon = line.indexOf(':');
        if (colon < 0) {
          throw new IllegalArgumentException("\"" + line + "\" is not NAME@UID: SLOTS");
        }
        MemberId owner = MemberId.parse(line.substring(0, colon).strip());
        for (int slot : slots.parse(line.substring(colon + 1).strip())) {
          MemberId other = owners.set(slot, owner);
          if (other != null) {
            throw new IllegalArgumentException("slot " + slot + " has two owners");
          }
        }
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("annotation " + OWNERS + ": " + e.getMessage(), e);
    }
    return new Assignment(version == null ? 0 : version, owners);
  }

  private static int number(Map<String, String> annotations) {
    String text = annotations.get(SLOTS);
    try {
      return Integer.parseInt(requireNonNull(text));
    } catch (NullPointerException | NumberFormatException e) {
      throw new IllegalArgumentException(
          "annotation " + SLOTS + " is not the number of slots: " + text, e);
    }
  }

  @Nullable MemberId owner(int slot) {
    return owners.get(slot);
  }

  int slots() {
    return owners.size();
  }

  /** Returns the slots of a member. */
  SortedSet<Integer> slotsOf(MemberId member) {
    SortedSet<Integer> slots = new TreeSet<>();
    for (int slot = 0; slot < owners.size(); slot++) {
      if (member.equals(owners.get(slot))) {
        slots.add(slot);
      }
    }
    return slots;
  }

  /** Returns all owners. */
  Set<MemberId> members() {
    Set<MemberId> members = new TreeSet<>();
    for (MemberId owner : owners) {
      if (owner != null) {
        members.add(owner);
      }
    }
    return members;
  }

  /** Returns the next version, with other owners. */
  Assignment next(List<@Nullable MemberId> changed) {
    return new Assignment(version + 1, changed);
  }

  /** Returns the annotations of the group's Lease. */
  Map<String, String> annotations() {
    SortedMap<MemberId, SortedSet<Integer>> slots = new TreeMap<>();
    for (int slot = 0; slot < owners.size(); slot++) {
      MemberId owner = owners.get(slot);
      if (owner != null) {
        slots.computeIfAbsent(owner, any -> new TreeSet<>()).add(slot);
      }
    }
    StringBuilder text = new StringBuilder();
    slots.forEach(
        (owner, owned) -> text.append(owner).append(": ").append(Slots.text(owned)).append('\n'));
    return Map.of(SLOTS, Integer.toString(owners.size()), OWNERS, text.toString());
  }
}
