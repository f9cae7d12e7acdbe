package dev.clientgo.benchmarks.cache;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.cache.IndexFunction;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodSpec;
import java.util.List;
import java.util.Map;

/** Pods to put into caches: a hundred in each namespace, on nodes with thirty each. */
final class Pods {

  static final int PER_NAMESPACE = 100;

  private static final int PER_NODE = 30;

  /** Another string than the literals that readers use, as the label of an object from a server. */
  private static final String APP = "app-".substring(0, 3);

  /** Files pods under the node they run on. */
  static final IndexFunction<Pod> BY_NODE = pod -> List.of(pod.spec().nodeName());

  /** Files pods under the program they run. */
  static final IndexFunction<Pod> BY_APP = pod -> List.of(pod.metadata().labels().get("app"));

  private Pods() {}

  /** Returns so many pods, all of one version. */
  static Pod[] create(int count, int version) {
    Pod[] pods = new Pod[count];
    for (int i = 0; i < count; i++) {
      pods[i] = create(i, Integer.toString(version));
    }
    return pods;
  }

  private static Pod create(int i, String version) {
    ObjectMeta metadata =
        ObjectMeta.builder()
            .namespace(namespace(i / PER_NAMESPACE))
            .name("pod-" + i)
            .uid("uid-" + i)
            .resourceVersion(version)
            .labels(Map.of(APP, "app-" + i % 50))
            .build();
    PodSpec spec = PodSpec.of(edit -> edit.nodeName("node-" + i / PER_NODE));
    return Pod.of(edit -> edit.metadata(metadata).spec(spec));
  }

  static String namespace(int number) {
    return "namespace-" + number;
  }

  static String key(Pod pod) {
    return pod.metadata().namespace() + "/" + pod.metadata().name();
  }
}
