package dev.clientgo.envtest.controllers.internal.pods;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodTemplateSpec;
import java.util.Map;

/** The templates in the specs of workloads, and the pods that are made of them. */
public final class PodTemplates {

  private PodTemplates() {}

  /**
   * Returns a pod of a template, whose controller is the owner, and whose name the server will
   * generate of the owner's.
   *
   * <p>Corresponds to {@code controller.GetPodFromTemplate}.
   */
  public static Pod newPod(PodTemplateSpec template, KubernetesObject owner) {
    ObjectMeta own = metadata(template);
    ObjectMeta metadata =
        ObjectMeta.of(
            meta ->
                meta.generateName(owner.metadata().name() + "-")
                    .namespace(owner.metadata().namespace())
                    .labels(own.labels())
                    .annotations(own.annotations().isEmpty() ? null : own.annotations())
                    .finalizers(own.finalizers().isEmpty() ? null : own.finalizers()));
    Pod pod = Pod.of(p -> p.metadata(metadata).spec(template.spec()));
    return OwnerReferences.setController(pod, owner);
  }

  /** Returns the metadata of a template, which may be absent. */
  public static ObjectMeta metadata(PodTemplateSpec template) {
    return template.metadata();
  }

  /** Returns a template with one more label. */
  public static PodTemplateSpec withLabel(PodTemplateSpec template, String key, String value) {
    return template.with(t -> t.editMetadata(m -> m.editLabels(labels -> labels.put(key, value))));
  }

  /** Returns a template without a label. */
  public static PodTemplateSpec withoutLabel(PodTemplateSpec template, String key) {
    Map<String, String> labels = metadata(template).labels();
    return labels.containsKey(key)
        ? template.with(t -> t.editMetadata(m -> m.editLabels(l -> l.remove(key))))
        : template;
  }
}
