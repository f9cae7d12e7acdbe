package dev.clientgo.envtest.controllers.internal.statefulsets;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.LabelSelector;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.kubernetes.apps.v1.StatefulSet;
import dev.clientgo.kubernetes.apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy;
import dev.clientgo.kubernetes.core.v1.PersistentVolumeClaim;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The volume claims of the pods of one StatefulSet: one for each template and ordinal.
 *
 * <p>The retention policy works through owners. A claim that goes with the set is owned by the set.
 * A claim that goes with its pod is owned by the pod as soon as the set wants the pod no longer.
 * The garbage collector does the rest.
 *
 * <p>Used by one reconcile. Corresponds to a part of {@code StatefulPodControl}.
 */
final class VolumeClaims {

  private static final String DELETE = "Delete";

  private final StatefulSet set;
  private final Context context;
  private final CachedResource<PersistentVolumeClaim> claims;

  VolumeClaims(StatefulSet set, Context context) {
    this.set = set;
    this.context = context;
    this.claims =
        context
            .client()
            .resource(PersistentVolumeClaim.TYPE)
            .inNamespace(String.valueOf(set.metadata().namespace()));
  }

  /** Returns whether a claim will soon be gone, such as with an earlier pod of this name. */
  boolean areStale(Pod pod) throws InterruptedException {
    return present(pod).stream()
        .anyMatch(claim -> claim.metadata().isBeingDeleted() || isOfEarlier(claim, pod));
  }

  private static boolean isOfEarlier(PersistentVolumeClaim claim, Pod pod) {
    return claim.metadata().ownerReferences().stream()
        .anyMatch(
            owner ->
                "Pod".equals(owner.kind())
                    && Objects.equals(owner.name(), pod.metadata().name())
                    && !Objects.equals(owner.uid(), pod.metadata().uid()));
  }

  /** Creates the claims of a pod that are missing. */
  void create(Pod pod) throws InterruptedException {
    for (PersistentVolumeClaim template : set.spec().volumeClaimTemplates()) {
      String name = StatefulPods.claimName(set, template, StatefulPods.ordinal(pod));
      if (claims.find(name).isEmpty()) {
        create(newClaim(template, name), pod);
      }
    }
  }

  private void create(PersistentVolumeClaim claim, Pod pod) throws InterruptedException {
    String subject =
        "Claim %s Pod %s in StatefulSet %s"
            .formatted(claim.metadata().name(), pod.metadata().name(), set.metadata().name());
    try {
      claims.create(claim);
      context.events().normal(set, "SuccessfulCreate", "CreateClaim", "create %s success", subject);
    } catch (KubernetesException e) {
      context
          .events()
          .warning(
              set,
              "FailedCreate",
              "CreateClaim",
              "create %s failed error: %s",
              subject,
              e.getMessage());
      throw e;
    }
  }

  private PersistentVolumeClaim newClaim(PersistentVolumeClaim template, String name) {
    LabelSelector selector = set.spec().selector();
    return template.with(
        c ->
            c.editMetadata(
                    m ->
                        m.name(name)
                            .namespace(set.metadata().namespace())
                            .editLabels(
                                labels -> {
                                  if (selector != null) {
                                    labels.putAll(selector.matchLabels());
                                  }
                                }))
                .status(null));
  }

  /** Gives the claims of a pod the owner that the retention policy demands. */
  void own(Pod pod) throws InterruptedException {
    KubernetesObject owner = owner(pod);
    for (PersistentVolumeClaim present : present(pod)) {
      claims.edit(
          present,
          claim -> {
            PersistentVolumeClaim others = without(set, without(pod, claim));
            return owner == null || OwnerReferences.hasController(others)
                ? others
                : OwnerReferences.setController(others, owner);
          });
    }
  }

  private @Nullable KubernetesObject owner(Pod pod) {
    StatefulSetPersistentVolumeClaimRetentionPolicy policy =
        set.spec().persistentVolumeClaimRetentionPolicy();
    if (policy == null) {
      return null;
    }
    if (DELETE.equals(policy.whenScaled()) && !StatefulPods.isWanted(pod, set)) {
      return pod;
    }
    return DELETE.equals(policy.whenDeleted()) ? set : null;
  }

  private static PersistentVolumeClaim without(KubernetesObject owner, PersistentVolumeClaim c) {
    return OwnerReferences.hasOwner(c, owner) ? OwnerReferences.removeOwner(c, owner) : c;
  }

  private List<PersistentVolumeClaim> present(Pod pod) throws InterruptedException {
    List<PersistentVolumeClaim> present = new ArrayList<>();
    for (PersistentVolumeClaim template : set.spec().volumeClaimTemplates()) {
      claims
          .find(StatefulPods.claimName(set, template, StatefulPods.ordinal(pod)))
          .ifPresent(present::add);
    }
    return present;
  }
}
