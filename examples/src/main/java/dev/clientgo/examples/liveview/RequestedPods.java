package dev.clientgo.examples.liveview;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.options.CreateOptions;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.kubernetes.core.v1.Binding;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes pods with requests to an API server that the lesson has started. */
final class RequestedPods implements PodWriter {

  private static final List<String> NAMESPACES = List.of("default", "shop", "load");

  /** Without a kubelet, a pod that is on a node would never end. */
  private static final DeleteOptions AT_ONCE =
      DeleteOptions.builder().gracePeriod(Duration.ZERO).build();

  private final RESTClient client;
  private final boolean hasScheduler;

  RequestedPods(RESTClient client, boolean hasScheduler) {
    this.client = client;
    this.hasScheduler = hasScheduler;
  }

  @Override
  public void create(String namespace, String name, @Nullable String node)
      throws InterruptedException {
    Pod pod = PodWriter.pod(namespace, name, hasScheduler ? null : node);
    pods(namespace).create(pod);
  }

  @Override
  public void change(String key) throws InterruptedException {
    ObjectName name = ObjectName.parse(key);
    pods(name.namespace())
        .edit(
            name.name(),
            pod ->
                pod.with(
                    p ->
                        p.editMetadata(
                            m -> m.annotations(PodWriter.changed(pod.metadata().annotations())))));
  }

  @Override
  public void bind(String key, String node) throws InterruptedException {
    ObjectName name = ObjectName.parse(key);
    pods(name.namespace())
        .subresource("binding", Binding.CODEC)
        .submit(
            name.name(),
            Binding.of(
                binding ->
                    binding
                        .editMetadata(m -> m.name(name.name()))
                        .editTarget(target -> target.kind("Node").name(node))),
            CreateOptions.NONE);
  }

  @Override
  public void delete(String key) throws InterruptedException {
    ObjectName name = ObjectName.parse(key);
    pods(name.namespace()).delete(name.name(), AT_ONCE);
  }

  /** Makes sure that the namespaces exist, too. */
  @Override
  public void deleteAll() throws InterruptedException {
    for (String namespace : NAMESPACES) {
      try {
        client
            .resource(Namespace.TYPE)
            .create(Namespace.of(n -> n.editMetadata(m -> m.name(namespace))));
      } catch (ApiStatusException e) {
        if (!e.isAlreadyExists()) {
          throw e;
        }
      }
      pods(namespace).deleteCollection(ListOptions.NONE, AT_ONCE);
    }
  }

  private ResourceClient<Pod> pods(String namespace) {
    return client.resource(Pod.TYPE).inNamespace(namespace);
  }
}
