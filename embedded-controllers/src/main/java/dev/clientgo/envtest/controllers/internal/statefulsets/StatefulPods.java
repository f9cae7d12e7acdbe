package dev.clientgo.envtest.controllers.internal.statefulsets;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.envtest.controllers.internal.pods.PodTemplates;
import dev.clientgo.kubernetes.apps.v1.StatefulSet;
import dev.clientgo.kubernetes.core.v1.PersistentVolumeClaim;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodTemplateSpec;
import dev.clientgo.kubernetes.core.v1.Volume;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The pods of StatefulSets: each has an ordinal, from which its name, its labels and the names of
 * its volume claims follow.
 *
 * <p>Corresponds to a part of {@code pkg/controller/statefulset/stateful_set_utils.go}.
 */
final class StatefulPods {

  private static final String REVISION_LABEL = "controller-revision-hash";
  private static final String NAME_LABEL = "statefulset.kubernetes.io/pod-name";
  private static final String INDEX_LABEL = "apps.kubernetes.io/pod-index";
  private static final Pattern NAME = Pattern.compile("(.*)-([0-9]{1,9})");

  private StatefulPods() {}

  /* --------------- Reading --------------- */

  /** Returns the name of the set to which a pod of this name belongs, empty for none. */
  static String setOf(String podName) {
    Matcher name = NAME.matcher(podName);
    return name.matches() ? name.group(1) : "";
  }

  /** Returns whether the name of a pod is one that a set gives. */
  static boolean isMember(Pod pod, StatefulSet set) {
    return setOf(name(pod)).equals(set.metadata().name());
  }

  /** Returns the ordinal of a member. */
  static int ordinal(Pod pod) {
    Matcher name = NAME.matcher(name(pod));
    return name.matches() ? Integer.parseInt(name.group(2)) : -1;
  }

  /** Returns the name of the revision of a pod's template, empty if it has none. */
  static String revision(Pod pod) {
    return pod.metadata().labels().getOrDefault(REVISION_LABEL, "");
  }

  private static String name(Pod pod) {
    return String.valueOf(pod.metadata().name());
  }

  /** Returns how many pods a set wants. */
  static int replicas(StatefulSet set) {
    return requireNonNullElse(set.spec().replicas(), 1);
  }

  /** Returns the lowest ordinal of a set. */
  static int start(StatefulSet set) {
    return set.spec().findOrdinals().map(ordinals -> ordinals.start()).orElse(0);
  }

  /** Returns whether a set wants a pod with the ordinal of this one. */
  static boolean isWanted(Pod pod, StatefulSet set) {
    int index = ordinal(pod) - start(set);
    return index >= 0 && index < replicas(set);
  }

  /** Returns the name of the claim that belongs to a template and a pod. */
  static String claimName(StatefulSet set, PersistentVolumeClaim template, int ordinal) {
    return template.metadata().name() + "-" + set.metadata().name() + "-" + ordinal;
  }

  /* --------------- Making --------------- */

  /** Returns a new pod. */
  static Pod newPod(StatefulSet set, PodTemplateSpec template, String revision, int ordinal) {
    String name = set.metadata().name() + "-" + ordinal;
    Pod pod =
        PodTemplates.newPod(template, set)
            .with(
                p ->
                    p.editMetadata(
                            m ->
                                m.name(name)
                                    .editLabels(labels -> labels.put(REVISION_LABEL, revision)))
                        .editSpec(s -> s.hostname(name).subdomain(set.spec().serviceName())));
    return withIdentity(pod, set);
  }

  /** Returns a pod with the labels and the volumes that its name demands. */
  static Pod withIdentity(Pod pod, StatefulSet set) {
    List<Volume> volumes = volumes(pod, set);
    Pod labelled =
        pod.with(
            p ->
                p.editMetadata(
                    m ->
                        m.editLabels(
                            labels -> {
                              labels.put(NAME_LABEL, name(pod));
                              labels.put(INDEX_LABEL, Integer.toString(ordinal(pod)));
                            })));
    return hasVolumes(pod, volumes)
        ? labelled
        : labelled.with(p -> p.editSpec(s -> s.volumes(volumes)));
  }

  private static boolean hasVolumes(Pod pod, List<Volume> volumes) {
    return pod.spec().volumes().containsAll(volumes);
  }

  /** Returns the volumes of the claims, and those of the template that have other names. */
  private static List<Volume> volumes(Pod pod, StatefulSet set) {
    List<Volume> volumes =
        set.spec().volumeClaimTemplates().stream()
            .map(template -> volume(template, claimName(set, template, ordinal(pod))))
            .collect(Collectors.toCollection(ArrayList::new));
    List<String> claimed = volumes.stream().map(Volume::name).toList();
    pod.spec().volumes().stream()
        .filter(volume -> claimed.stream().noneMatch(n -> Objects.equals(n, volume.name())))
        .forEach(volumes::add);
    return volumes;
  }

  private static Volume volume(PersistentVolumeClaim template, String claim) {
    return Volume.of(
        v -> v.name(template.metadata().name()).editPersistentVolumeClaim(c -> c.claimName(claim)));
  }
}
