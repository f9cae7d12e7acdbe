package dev.clientgo.envtest.controllers.internal.workloads;

import static dev.clientgo.envtest.controllers.internal.workloads.DeploymentConditions.PROGRESSING;
import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.envtest.controllers.internal.pods.PodTemplates;
import dev.clientgo.envtest.controllers.internal.pods.TemplateHash;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.apps.v1.DeploymentSpec;
import dev.clientgo.kubernetes.apps.v1.DeploymentStatus;
import dev.clientgo.kubernetes.apps.v1.ReplicaSet;
import dev.clientgo.kubernetes.apps.v1.ReplicaSetStatus;
import dev.clientgo.kubernetes.core.v1.PodTemplateSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One reconcile of a Deployment: its ReplicaSets, and the steps that change them. The new
 * ReplicaSet is the one whose template is that of the Deployment; the rest are old.
 *
 * <p>Changes of the Deployment's status and revision are collected, and written once at the end.
 */
final class Rollout {

  private static final String HASH_LABEL = "pod-template-hash";

  private final Context context;
  private final CachedResource<Deployment> deployments;
  private final CachedResource<ReplicaSet> sets;
  private final Deployment stored;
  private final DeploymentSettings settings;
  private final Instant now;

  private Deployment deployment;
  private @Nullable ReplicaSet newSet;
  private final List<ReplicaSet> oldSets;

  Rollout(Context context, Deployment stored, List<ReplicaSet> owned, Instant now) {
    this.context = context;
    this.stored = stored;
    this.deployment = stored;
    this.settings = DeploymentSettings.of(stored);
    this.now = now;
    String namespace = String.valueOf(stored.metadata().namespace());
    deployments = context.client().resource(Deployment.TYPE).inNamespace(namespace);
    sets = context.client().resource(ReplicaSet.TYPE).inNamespace(namespace);
    oldSets = new ArrayList<>(owned);
    oldSets.sort(ReplicaSets.BY_CREATION);
    newSet = oldSets.stream().filter(this::hasNewTemplate).findFirst().orElse(null);
    oldSets.remove(newSet);
  }

  private boolean hasNewTemplate(ReplicaSet set) {
    return PodTemplates.withoutLabel(ReplicaSets.template(set), HASH_LABEL)
        .equals(PodTemplates.withoutLabel(settings.template(), HASH_LABEL));
  }

  /* --------------- Reading --------------- */

  DeploymentSettings settings() {
    return settings;
  }

  Instant now() {
    return now;
  }

  /** Returns the Deployment as the server has it. */
  Deployment stored() {
    return stored;
  }

  /** Returns the status with the changes up to now. */
  DeploymentStatus status() {
    return deployment.status();
  }

  /** Returns the ReplicaSet with the template of the Deployment, null if there is none yet. */
  @Nullable ReplicaSet newSet() {
    return newSet;
  }

  /** Returns the other ReplicaSets, the oldest first. */
  List<ReplicaSet> oldSets() {
    return List.copyOf(oldSets);
  }

  /** Returns the ReplicaSets, the new one last. */
  List<ReplicaSet> allSets() {
    List<ReplicaSet> all = new ArrayList<>(oldSets);
    if (newSet != null) {
      all.add(newSet);
    }
    return all;
  }

  /** Returns the ReplicaSets that should have pods. */
  List<ReplicaSet> activeSets() {
    return allSets().stream().filter(set -> ReplicaSets.replicas(set) > 0).toList();
  }

  /** Returns the name of an object for messages. */
  String describe() {
    return newSet == null
        ? "Deployment \"" + stored.metadata().name() + '"'
        : "ReplicaSet \"" + newSet.metadata().name() + '"';
  }

  /* --------------- The status of the Deployment --------------- */

  /** Changes the status, which {@link #write} sends. */
  void changeStatus(UnaryOperator<DeploymentStatus> change) {
    DeploymentStatus changed = change.apply(status());
    deployment = deployment.with(d -> d.status(changed));
  }

  private void setProgressing(String status, String reason, String message) {
    if (settings.progressDeadline().isPresent()) {
      changeStatus(
          s ->
              DeploymentConditions.set(
                  s, DeploymentConditions.of(PROGRESSING, status, reason, message, now)));
    }
  }

  /** Sends the status and the revision, if they have changed. */
  void write() throws InterruptedException {
    if (!deployment.equals(stored)) {
      deployments.updateStatus(deployment);
    }
  }

  /* --------------- The new ReplicaSet --------------- */

  /**
   * Gives the new ReplicaSet the highest revision, and the Deployment the same.
   *
   * @return whether the ReplicaSet was changed; the rest is for the next reconcile then
   */
  boolean syncRevision() throws InterruptedException {
    ReplicaSet set = newSet;
    if (set == null) {
      return false;
    }
    long revision = Revisions.highest(oldSets) + 1;
    ReplicaSet wanted =
        Revisions.annotate(set, stored, revision)
            .with(s -> s.editSpec(spec -> spec.minReadySeconds(minReadySeconds(set))));
    if (!wanted.equals(set)) {
      newSet = sets.update(wanted);
      return true;
    }
    takeRevision(set);
    if (DeploymentConditions.find(status(), PROGRESSING).isEmpty()) {
      setProgressing(
          "True",
          DeploymentConditions.NEW_SET_FOUND,
          "Found new replica set \"" + set.metadata().name() + '"');
    }
    return false;
  }

  /** An absent value of the set stays absent. */
  private @Nullable Integer minReadySeconds(ReplicaSet set) {
    Integer present = set.spec().minReadySeconds();
    return requireNonNullElse(present, 0) == settings.minReadySeconds()
        ? present
        : (Integer) settings.minReadySeconds();
  }

  private void takeRevision(ReplicaSet set) {
    set.metadata()
        .annotation(Revisions.REVISION)
        .ifPresent(
            revision ->
                deployment =
                    deployment.with(
                        d ->
                            d.editMetadata(
                                m -> m.editAnnotations(a -> a.put(Revisions.REVISION, revision)))));
  }

  /** Creates the new ReplicaSet if there is none. */
  void createNewSet() throws InterruptedException {
    if (newSet != null) {
      return;
    }
    ReplicaSet wanted = newReplicaSet();
    String name = String.valueOf(wanted.metadata().name());
    try {
      newSet = sets.create(wanted);
    } catch (ApiStatusException e) {
      if (e.isAlreadyExists()) {
        countCollision();
      } else if (!e.hasStatusCause("NamespaceTerminating")) {
        String message = "Failed to create new replica set \"" + name + "\": " + e.getMessage();
        setProgressing("False", DeploymentConditions.SET_CREATE_ERROR, message);
        context
            .events()
            .warning(stored, DeploymentConditions.SET_CREATE_ERROR, "CreateReplicaSet", message);
      }
      write();
      throw e;
    }
    if (ReplicaSets.replicas(newSet) > 0) {
      recordScaling("up", newSet, 0);
    }
    takeRevision(newSet);
    setProgressing(
        "True", DeploymentConditions.NEW_SET_CREATED, "Created new replica set \"" + name + '"');
  }

  /** Another set has the name that the hash makes; the next reconcile takes another hash. */
  private void countCollision() {
    changeStatus(s -> s.with(b -> b.collisionCount(requireNonNullElse(s.collisionCount(), 0) + 1)));
  }

  private ReplicaSet newReplicaSet() {
    String hash =
        TemplateHash.of(PodTemplateSpec.CODEC, settings.template(), status().collisionCount());
    PodTemplateSpec template = PodTemplates.withLabel(settings.template(), HASH_LABEL, hash);
    DeploymentSpec spec = stored.spec();
    int replicas = settings.rolling() ? rollingSize(0) : settings.replicas();
    Integer minReady = settings.minReadySeconds() == 0 ? null : settings.minReadySeconds();
    ReplicaSet set =
        ReplicaSet.of(
            r ->
                r.metadata(
                        ObjectMeta.of(
                            m ->
                                m.name(name(hash))
                                    .namespace(stored.metadata().namespace())
                                    .labels(PodTemplates.metadata(template).labels())))
                    .editSpec(
                        s ->
                            s.replicas(replicas)
                                .minReadySeconds(minReady)
                                .selector(spec.selector())
                                .editSelector(l -> l.editMatchLabels(m -> m.put(HASH_LABEL, hash)))
                                .template(template)));
    ReplicaSet revised = Revisions.annotate(set, stored, Revisions.highest(oldSets) + 1);
    return OwnerReferences.setController(Revisions.sized(revised, settings), stored);
  }

  private String name(String hash) {
    String name = String.valueOf(stored.metadata().name());
    int longest = 253 - 1 - hash.length();
    return name.substring(0, Math.min(name.length(), longest)) + "-" + hash;
  }

  /** Returns to which size the new ReplicaSet may grow in a rolling update. */
  int rollingSize(int current) {
    int room = settings.replicas() + settings.maxSurge() - ReplicaSets.wanted(allSets());
    return room <= 0 ? current : current + Math.min(room, settings.replicas() - current);
  }

  /* --------------- Scaling --------------- */

  /**
   * Sets the size of a ReplicaSet, if it differs.
   *
   * @return whether it differed
   */
  boolean scale(ReplicaSet set, int size) throws InterruptedException {
    return ReplicaSets.replicas(set) != size && resize(set, size);
  }

  /**
   * Sets the size of a ReplicaSet, and the sizes of the Deployment in its annotations.
   *
   * @return whether the size differed
   */
  boolean resize(ReplicaSet set, int size) throws InterruptedException {
    int before = ReplicaSets.replicas(set);
    ReplicaSet wanted =
        Revisions.sized(
            before == size ? set : set.with(s -> s.editSpec(spec -> spec.replicas(size))),
            settings);
    if (wanted.equals(set)) {
      return false;
    }
    ReplicaSet updated = sets.update(wanted);
    if (set.equals(newSet)) {
      newSet = updated;
    } else {
      oldSets.replaceAll(old -> old.equals(set) ? updated : old);
    }
    if (before != size) {
      recordScaling(before < size ? "up" : "down", updated, before);
    }
    return before != size;
  }

  private void recordScaling(String direction, ReplicaSet set, int before) {
    context
        .events()
        .normal(
            stored,
            "ScalingReplicaSet",
            "ScaleReplicaSet",
            "Scaled %s replica set %s from %d to %d",
            direction,
            set.metadata().name(),
            before,
            ReplicaSets.replicas(set));
  }

  /** Deletes old ReplicaSets without pods, up to the limit of the history, the oldest first. */
  void cleanUp() throws InterruptedException {
    if (settings.historyLimit().isEmpty()) {
      return;
    }
    List<ReplicaSet> alive =
        oldSets.stream()
            .filter(set -> !set.metadata().isBeingDeleted())
            .sorted(comparing(Revisions::of).thenComparing(ReplicaSets.BY_CREATION))
            .toList();
    long surplus = Math.max(0, alive.size() - settings.historyLimit().getAsInt());
    for (ReplicaSet set : alive.stream().limit(surplus).toList()) {
      if (isIdle(set)) {
        sets.deleteIfExists(String.valueOf(set.metadata().name()));
      }
    }
  }

  private static boolean isIdle(ReplicaSet set) {
    ReplicaSetStatus status = set.status();
    return ReplicaSets.replicas(set) == 0
        && ReplicaSets.actual(List.of(set)) == 0
        && Objects.equals(status.observedGeneration(), set.metadata().generation());
  }
}
