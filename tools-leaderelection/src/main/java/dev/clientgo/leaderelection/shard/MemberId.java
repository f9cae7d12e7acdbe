package dev.clientgo.leaderelection.shard;

import static java.util.Objects.requireNonNull;

import dev.clientgo.kubernetes.coordination.v1.Lease;

/**
 * Identifies the Lease of a member permanently: the server gives no uid twice, so a member whose
 * Lease is gone never comes back under the same identity. Immutable.
 */
record MemberId(String lease, String uid) implements Comparable<MemberId> {

  static MemberId of(Lease lease) {
    return new MemberId(
        requireNonNull(lease.metadata().name(), "name"),
        requireNonNull(lease.metadata().uid(), "uid"));
  }

  /**
   * Parses the form of {@link #toString}.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  static MemberId parse(String text) {
    int at = text.indexOf('@');
    if (at < 1 || at == text.length() - 1) {
      throw new IllegalArgumentException("\"" + text + "\" is not NAME@UID of a Lease");
    }
    return new MemberId(text.substring(0, at), text.substring(at + 1));
  }

  @Override
  public int compareTo(MemberId other) {
    int byName = lease.compareTo(other.lease);
    return byName != 0 ? byName : uid.compareTo(other.uid);
  }

  /** Returns {@code NAME@UID}. */
  @Override
  public String toString() {
    return lease + '@' + uid;
  }
}
