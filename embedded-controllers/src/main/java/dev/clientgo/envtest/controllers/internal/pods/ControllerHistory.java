package dev.clientgo.envtest.controllers.internal.pods;

import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.kubernetes.apps.v1.ControllerRevision;
import dev.clientgo.kubernetes.apps.v1.StatefulSet;
import dev.clientgo.kubernetes.core.v1.PodTemplateSpec;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The templates that the pods of an owner have had, each in a ControllerRevision with a number.
 *
 * <p>Used by one reconcile. Corresponds to {@code pkg/controller/history}.
 */
public final class ControllerHistory {

  /** The oldest first. */
  private static final Comparator<ControllerRevision> BY_REVISION =
      comparing(ControllerHistory::number)
          .thenComparing(revision -> String.valueOf(revision.metadata().name()));

  private static final int DEFAULT_LIMIT = 10;

  private final KubernetesObject owner;
  private final CachedResource<ControllerRevision> revisions;

  /** The label of a revision that has its hash. */
  private final String hashLabel;

  private final List<ControllerRevision> owned;

  /**
   * A revision of the template of today.
   *
   * @param collisions how often the hash of a template was found to be that of a different template
   */
  public record Current(ControllerRevision revision, @Nullable Integer collisions) {

    /** Returns the name of the revision. */
    public String name() {
      return String.valueOf(revision.metadata().name());
    }
  }

  /** Creates an instance of the revisions that an owner controls. */
  public ControllerHistory(
      KubernetesObject owner,
      CachedResource<ControllerRevision> revisions,
      String hashLabel,
      List<ControllerRevision> owned) {
    this.owner = owner;
    this.revisions = revisions;
    this.hashLabel = hashLabel;
    this.owned = owned.stream().sorted(BY_REVISION).toList();
  }

  /** Returns the revision of a template as the newest one; creates it if there is none. */
  public Current current(PodTemplateSpec template, @Nullable Integer collisions)
      throws InterruptedException {
    RawJson data = data(template);
    long highest = owned.isEmpty() ? 0 : number(owned.get(owned.size() - 1));
    List<ControllerRevision> same = owned.stream().filter(r -> isSame(r, data)).toList();
    if (same.isEmpty()) {
      return create(template, data, highest + 1, collisions);
    }
    ControllerRevision found = same.get(same.size() - 1);
    ControllerRevision newest =
        number(found) == highest
            ? found
            : revisions.edit(found, r -> r.with(b -> b.revision(highest + 1)));
    return new Current(newest, collisions);
  }

  private Current create(
      PodTemplateSpec template, RawJson data, long number, @Nullable Integer collisions)
      throws InterruptedException {
    Integer count = collisions;
    while (true) {
      ControllerRevision wanted = revision(template, data, number, count);
      try {
        return new Current(revisions.create(wanted), count);
      } catch (ApiStatusException e) {
        if (!e.isAlreadyExists()) {
          throw e;
        }
      }
      String name = String.valueOf(wanted.metadata().name());
      ControllerRevision other = revisions.uncached().find(name).orElse(null);
      if (other != null && OwnerReferences.isControlledBy(other, owner) && isSame(other, data)) {
        return new Current(other, count);
      }
      count = requireNonNullElse(count, 0) + 1;
    }
  }

  private ControllerRevision revision(
      PodTemplateSpec template, RawJson data, long number, @Nullable Integer collisions) {
    String hash = TemplateHash.of(PodTemplateSpec.CODEC, template, collisions);
    Map<String, String> annotations = owner.metadata().annotations();
    ObjectMeta metadata =
        ObjectMeta.of(
            m ->
                m.name(owner.metadata().name() + "-" + hash)
                    .namespace(owner.metadata().namespace())
                    .labels(PodTemplates.metadata(template).labels())
                    .editLabels(labels -> labels.put(hashLabel, hash))
                    .annotations(annotations.isEmpty() ? null : annotations));
    return OwnerReferences.setController(
        ControllerRevision.of(r -> r.metadata(metadata).data(data).revision(number)), owner);
  }

  /** Returns the patch of the owner that brings a template back. */
  private static RawJson data(PodTemplateSpec template) {
    String text = RawJson.of(PodTemplateSpec.CODEC, template).toString();
    String fields = text.substring(0, text.length() - 1); // Never empty: it has labels.
    return RawJson.of("{\"spec\":{\"template\":" + fields + ",\"$patch\":\"replace\"}}}");
  }

  /** The server may order fields in another way. */
  private static boolean isSame(ControllerRevision revision, RawJson data) {
    return revision.data() != null && Objects.equals(tree(revision.data()), tree(data));
  }

  private static Object tree(RawJson json) {
    return JsonCodecs.TREE.read(json.reader());
  }

  private static long number(ControllerRevision revision) {
    return requireNonNullElse(revision.revision(), 0L);
  }

  /** Returns the revision of that name, empty if there is none. */
  public Optional<ControllerRevision> find(String name) {
    return owned.stream().filter(revision -> name.equals(revision.metadata().name())).findFirst();
  }

  /** Returns the template that a revision keeps. */
  public static PodTemplateSpec template(ControllerRevision revision) {
    // The data is a patch of any owner that has its template there.
    RawJson data = requireNonNull(revision.data(), "the revision has no data");
    return StatefulSet.CODEC.read(data.reader()).spec().template();
  }

  /** Returns the hash of a revision, empty if it has none. */
  public String hash(ControllerRevision revision) {
    return requireNonNullElse(revision.metadata().labels().get(hashLabel), "");
  }

  /**
   * Deletes old revisions, the oldest first, until not more than a limit are left.
   *
   * @param current the revision of today, which stays
   * @param isLive selects the others that stay, since pods have them
   * @param limit how many of the rest may stay, null for 10
   */
  public void cleanUp(
      Current current, Predicate<ControllerRevision> isLive, @Nullable Integer limit)
      throws InterruptedException {
    List<String> old =
        owned.stream()
            .filter(revision -> !isLive.test(revision))
            .map(revision -> String.valueOf(revision.metadata().name()))
            .filter(name -> !name.equals(current.name()))
            .toList();
    long surplus = Math.max(0, old.size() - requireNonNullElse(limit, DEFAULT_LIMIT));
    for (String name : old.stream().limit(surplus).toList()) {
      revisions.deleteIfExists(name);
    }
  }
}
