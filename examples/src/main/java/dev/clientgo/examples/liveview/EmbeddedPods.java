package dev.clientgo.examples.liveview;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.ServedObjects;
import dev.clientgo.kubernetes.core.v1.Pod;
import org.jspecify.annotations.Nullable;

/** Puts pods into an embedded server without requests, so that thousands a second cost little. */
final class EmbeddedPods implements PodWriter {

  private final ServedObjects objects;

  EmbeddedPods(EmbeddedApiServer server) {
    objects = server.objects(Pod.TYPE.resource());
  }

  @Override
  public void create(String namespace, String name, @Nullable String node) {
    objects.put(Unstructured.from(Pod.CODEC, PodWriter.pod(namespace, name, node)));
  }

  @Override
  public void change(String key) {
    Unstructured pod = pod(key);
    objects.put(
        pod.with(PodWriter.changed(pod.metadata().annotations()), "metadata", "annotations"));
  }

  @Override
  public void bind(String key, String node) {
    objects.put(pod(key).with(node, "spec", "nodeName"));
  }

  private Unstructured pod(String key) {
    ObjectName name = ObjectName.parse(key);
    return objects
        .get(name.namespace(), name.name())
        .orElseThrow(() -> new IllegalArgumentException("the server has no pod " + key));
  }

  @Override
  public void delete(String key) {
    ObjectName name = ObjectName.parse(key);
    objects.delete(name.namespace(), name.name());
  }

  @Override
  public void deleteAll() {
    objects.list().forEach(pod -> delete(ObjectName.of(pod).toString()));
  }
}
