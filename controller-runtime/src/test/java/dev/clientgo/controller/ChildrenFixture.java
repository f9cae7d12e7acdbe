package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.Bytes;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.events.FakeRecorder;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.kubernetes.rbac.v1.ClusterRole;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.testing.Eventually;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A controller whose reconciler lends its context, so that a test can apply step by step. */
final class ChildrenFixture implements AutoCloseable {

  static final String CONTROLLER = "shops";

  final FakeRecorder events = FakeRecorder.create();
  final ResourceClient<ConfigMap> owners;
  final ResourceClient<Secret> secrets;
  final ResourceClient<Deployment> deployments;
  final ConfigMap owner;
  final Context context;
  private final Manager manager;

  ChildrenFixture(RESTClient client, String name) throws InterruptedException {
    this(client, name, CONTROLLER, informers -> {});
  }

  /**
   * Starts a controller of that name, which owns more kinds, with caches of the caller's choice.
   */
  ChildrenFixture(
      RESTClient client,
      String name,
      String controllerName,
      Consumer<SharedInformerFactory.Builder> informers,
      ResourceType<?>... owned)
      throws InterruptedException {
    owners = client.resource(ConfigMap.TYPE).inNamespace("default");
    secrets = client.resource(Secret.TYPE).inNamespace("default");
    deployments = client.resource(Deployment.TYPE).inNamespace("default");
    owner = owners.find(name).orElse(null) == null ? owners.create(owner(name)) : owners.get(name);
    BlockingQueue<Context> contexts = new ArrayBlockingQueue<>(1);
    manager = Manager.builder(client).events(controller -> events).informers(informers).build();
    ControllerBuilder controller =
        Controller.builder(
                (request, context) -> {
                  contexts.offer(context);
                  return Result.done();
                })
            .forKind(ConfigMap.TYPE)
            .owns(Secret.TYPE)
            .owns(Deployment.TYPE)
            .owns(ClusterRole.TYPE)
            .named(controllerName);
    for (ResourceType<?> each : owned) {
      controller.owns(each);
    }
    manager.add(controller.build());
    manager.start();
    context = contexts.poll(60, TimeUnit.SECONDS);
    assertThat(context).isNotNull();
  }

  private static ConfigMap owner(String name) {
    return ConfigMap.of("default", name, c -> {});
  }

  Children children() {
    return context.children(owner);
  }

  static Secret secret(String name, String value) {
    return Secret.of("default", name, s -> s.data(Map.of("a", Bytes.ofUtf8(value))));
  }

  static Deployment deployment(String name) {
    Map<String, String> labels = Map.of("app", name);
    return Deployment.of(
        "default",
        name,
        d ->
            d.editSpec(
                s ->
                    s.editSelector(l -> l.matchLabels(labels))
                        .editTemplate(
                            t ->
                                t.editMetadata(m -> m.labels(labels))
                                    .editSpec(
                                        p ->
                                            p.addContainers(
                                                c -> c.name("web").image("nginx:1"))))));
  }

  /** Reports the only replica as available. */
  void rollOut(String name) throws InterruptedException {
    deployments.editStatus(
        name,
        d ->
            d.with(
                b ->
                    b.editStatus(
                        s ->
                            s.observedGeneration(d.metadata().generation())
                                .replicas(1)
                                .updatedReplicas(1)
                                .readyReplicas(1)
                                .availableReplicas(1))));
    await(deployments, name);
  }

  /** Waits until the cache has the version of the server. */
  <T extends KubernetesObject> void await(ResourceClient<T> resource, String name)
      throws InterruptedException {
    String version = resource.find(name).map(o -> o.metadata().resourceVersion()).orElse("none");
    Eventually.await(
        "the cache",
        () -> {
          try {
            return context
                .client()
                .resource(resource.type())
                .inNamespace("default")
                .find(name)
                .map(o -> o.metadata().resourceVersion())
                .orElse("none")
                .equals(version);
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Override
  public void close() {
    manager.close();
  }
}
