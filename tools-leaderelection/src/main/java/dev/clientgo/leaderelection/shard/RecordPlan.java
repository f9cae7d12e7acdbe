package dev.clientgo.leaderelection.shard;

import dev.clientgo.leaderelection.internal.LeaseRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The next write of the record by a member, or the question that it must ask before. */
final class RecordPlan {

  private final Assignment before;
  private final List<@Nullable MemberId> owners;
  private final List<Integer> given = new ArrayList<>();
  private @Nullable LeaseRequest question;
  private boolean writes;

  RecordPlan(Assignment before, boolean create) {
    this.before = before;
    owners = new ArrayList<>(before.owners());
    writes = create;
  }

  void take(int slot, MemberId me) {
    owners.set(slot, me);
    writes = true;
  }

  void give(int slot, @Nullable MemberId other) {
    owners.set(slot, other);
    given.add(slot);
    writes = true;
  }

  /** Writes the record even if no owner changes, so that an earlier write can no longer succeed. */
  void touch() {
    writes = true;
  }

  /** Sends a request before the record is written; the first one counts, null does not. */
  void ask(@Nullable LeaseRequest request) {
    if (question == null) {
      question = request;
    }
  }

  boolean isEmpty() {
    return !writes && question == null;
  }

  @Nullable LeaseRequest question() {
    return question;
  }

  List<Integer> given() {
    return given;
  }

  Assignment result() {
    return new Assignment(before.version() + 1, owners);
  }
}
