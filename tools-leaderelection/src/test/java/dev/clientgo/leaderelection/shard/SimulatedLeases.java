package dev.clientgo.leaderelection.shard;

import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.leaderelection.internal.LeaseRequest;
import dev.clientgo.leaderelection.internal.LeaseRequest.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The Leases of a simulated server, with optimistic concurrency and all their earlier states. */
final class SimulatedLeases {

  /** A change: a new state of a Lease, or null if it was deleted. */
  record Change(String name, @Nullable Lease lease) {}

  private final Map<String, Lease> leases = new TreeMap<>();
  private final List<Change> changes = new ArrayList<>();
  private int uids;
  private int writes;

  /** Whether an admission webhook removes the annotation of members that want no slots. */
  boolean strips;

  /** Returns how many changes there were; the n-th leads to version n. */
  int version() {
    return changes.size();
  }

  /** Returns the changes after a version, up to and with another. */
  List<Change> changes(int after, int upTo) {
    return changes.subList(after, upTo);
  }

  /** Returns the Leases as they were at a version. */
  Map<String, Lease> at(int version) {
    Map<String, Lease> then = new TreeMap<>();
    for (Change change : changes(0, version)) {
      if (change.lease() == null) {
        then.remove(change.name());
      } else {
        then.put(change.name(), change.lease());
      }
    }
    return then;
  }

  Map<String, Lease> all() {
    return leases;
  }

  /** Returns how many requests have asked for a write. */
  int writes() {
    return writes;
  }

  /** Does what a request wants; an answer tells of it. */
  Answer apply(LeaseRequest request) {
    if (request instanceof LeaseRequest.Get get) {
      Lease lease = leases.get(get.name());
      return lease == null ? new Answer.NotFound() : new Answer.Found(lease);
    }
    writes++;
    if (request instanceof LeaseRequest.Create create) {
      String uid = "uid-" + ++uids;
      return leases.containsKey(create.lease().metadata().name())
          ? new Answer.Conflict()
          : store(create.lease().with(lease -> lease.editMetadata(m -> m.uid(uid))));
    }
    boolean deletes = request instanceof LeaseRequest.Delete;
    Lease wanted =
        request instanceof LeaseRequest.Delete delete
            ? delete.lease()
            : ((LeaseRequest.Update) request).lease();
    String name = Objects.requireNonNull(wanted.metadata().name());
    Lease stored = leases.get(name);
    if (stored == null) {
      return new Answer.NotFound();
    }
    if (!matches(wanted.metadata().uid(), stored.metadata().uid())
        || !matches(wanted.metadata().resourceVersion(), stored.metadata().resourceVersion())) {
      return new Answer.Conflict();
    }
    if (deletes) {
      leases.remove(name);
      changes.add(new Change(name, null));
      return new Answer.Deleted();
    }
    return store(wanted);
  }

  private static boolean matches(@Nullable String wanted, @Nullable String stored) {
    return wanted == null || wanted.equals(stored);
  }

  /** Changes nothing but the version of a Lease. */
  void touch(String name) {
    store(Objects.requireNonNull(leases.get(name)));
  }

  private Answer store(Lease lease) {
    String version = Integer.toString(changes.size() + 1);
    Lease stored =
        lease.with(
            l ->
                l.editMetadata(
                    m ->
                        m.resourceVersion(version)
                            .editAnnotations(
                                all -> {
                                  if (strips) {
                                    all.remove(ShardSettings.LEAVING);
                                  }
                                })));
    String name = Objects.requireNonNull(stored.metadata().name());
    leases.put(name, stored);
    changes.add(new Change(name, stored));
    return new Answer.Found(stored);
  }

  /** Restores the Leases, with their versions, to those of an earlier version. */
  void restore(int version) {
    Map<String, Lease> backup = at(version);
    Map<String, Lease> lost = Map.copyOf(leases);
    leases.clear();
    leases.putAll(backup);
    lost.keySet().stream()
        .filter(name -> !backup.containsKey(name))
        .forEach(name -> changes.add(new Change(name, null)));
    backup.forEach(
        (name, lease) -> {
          if (!lease.equals(lost.get(name))) {
            changes.add(new Change(name, lease));
          }
        });
  }

  static String describe(LeaseRequest request) {
    if (request instanceof LeaseRequest.Get get) {
      return "Get " + get.name();
    }
    Lease lease =
        request instanceof LeaseRequest.Create create
            ? create.lease()
            : request instanceof LeaseRequest.Update update
                ? update.lease()
                : ((LeaseRequest.Delete) request).lease();
    return request.getClass().getSimpleName() + ' ' + lease.metadata().name();
  }

  static String describe(Answer answer) {
    return answer instanceof Answer.Found found
        ? "version " + found.lease().metadata().resourceVersion()
        : answer.toString();
  }
}
