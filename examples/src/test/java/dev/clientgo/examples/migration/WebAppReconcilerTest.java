package dev.clientgo.examples.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.ChildrenException;
import dev.clientgo.controller.Manager;
import dev.clientgo.envtest.junit.ApiServerTest;
import dev.clientgo.envtest.junit.TestNamespace;
import dev.clientgo.examples.generated.com.example.web.v1.WebApp;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Service;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The operator of {@code docs/from-java-operator-sdk.md}. */
@ApiServerTest(crds = "src/main/crds/webapp.yaml", server = ApiServerTest.Server.EMBEDDED)
final class WebAppReconcilerTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final Set<String> registered = ConcurrentHashMap.newKeySet();

  private final WebAppReconciler.Registry registry =
      new WebAppReconciler.Registry() {
        @Override
        public void put(String name) {
          registered.add(name);
        }

        @Override
        public void delete(String name) {
          registered.remove(name);
        }
      };

  @Test
  void webApp_isServed_restartedForSettings_reportedAndTidiedUp(
      RESTClient client, @TestNamespace String namespace) throws Exception {
    ResourceClient<WebApp> apps = client.resource(WebApp.TYPE).inNamespace(namespace);
    ResourceClient<Deployment> deployments =
        client.resource(Deployment.TYPE).inNamespace(namespace);
    ResourceClient<Service> services = client.resource(Service.TYPE).inNamespace(namespace);
    try (Manager manager = Manager.create(client)) {
      manager.add(new WebAppReconciler(registry).controller());
      manager.start();
      apps.create(
          WebApp.of(namespace, "shop", a -> a.editSpec(s -> s.image("nginx:1.29").replicas(2))));
      apps.await("shop", a -> Boolean.FALSE.equals(a.orElseThrow().status().ready()), TIMEOUT);

      assertThat(registered).containsExactly("shop");
      assertThat(services.find("shop")).isEmpty();

      rollOut(deployments);
      apps.await("shop", a -> Boolean.TRUE.equals(a.orElseThrow().status().ready()), TIMEOUT);

      assertThat(services.find("shop")).isPresent();

      ConfigMap settings =
          client
              .resource(ConfigMap.TYPE)
              .inNamespace(namespace)
              .create(
                  ConfigMap.of(
                      namespace,
                      "settings",
                      c -> c.editMetadata(m -> m.labels(Map.of(WebAppReconciler.APP, "shop")))));
      String version = settings.metadata().resourceVersion();
      deployments.await(
          "shop",
          d ->
              d.orElseThrow()
                  .spec()
                  .template()
                  .metadata()
                  .annotations()
                  .get(WebAppReconciler.APP)
                  .equals(version),
          TIMEOUT);

      apps.edit("shop", a -> a.with(w -> w.editSpec(s -> s.image(" "))));
      apps.await(
          "shop", a -> "the image is blank".equals(a.orElseThrow().status().message()), TIMEOUT);

      apps.delete("shop");
      apps.await("shop", Optional::isEmpty, TIMEOUT);
      assertThat(registered).isEmpty();
    }
  }

  @Test
  void childOfTheJavaOperatorSdk_isRefused_untilItIsAdopted(
      RESTClient client, @TestNamespace String namespace) throws Exception {
    ResourceClient<WebApp> apps = client.resource(WebApp.TYPE).inNamespace(namespace);
    WebApp app =
        apps.create(
            WebApp.of(namespace, "shop", a -> a.editSpec(s -> s.image("nginx:1.29").replicas(2))));
    ResourceClient<Deployment> deployments =
        client.resource(Deployment.TYPE).inNamespace(namespace);
    deployments.create(
        OwnerReferences.setOwner(
            Deployment.of(
                namespace,
                "shop",
                d ->
                    d.editSpec(
                        s ->
                            s.replicas(1)
                                .editSelector(l -> l.matchLabels(Map.of("app", "shop")))
                                .editTemplate(
                                    t ->
                                        t.editMetadata(m -> m.labels(Map.of("app", "shop")))
                                            .editSpec(
                                                p ->
                                                    p.editContainers(
                                                        "web", c -> c.image("nginx:1.28")))))),
            app));
    BlockingQueue<Throwable> errors = new LinkedBlockingQueue<>();
    try (Manager manager =
        Manager.builder(client)
            .observer(reconcile -> (outcome, error) -> error.ifPresent(errors::add))
            .build()) {
      manager.add(new WebAppReconciler(registry).controller());
      manager.start();

      assertThat(errors.poll(60, TimeUnit.SECONDS))
          .isInstanceOf(ChildrenException.class)
          .hasMessageContaining("Deployment " + namespace + "/shop");
      assertThat(deployments.get("shop").spec().replicas()).isEqualTo(1);
    }

    try (Manager manager =
        Manager.builder(client)
            .reconcilers(
                next ->
                    (request, context) -> {
                      Optional<WebApp> owner = context.client().resource(WebApp.TYPE).find(request);
                      if (owner.isPresent()) {
                        adopt(context.client().resource(Deployment.TYPE), owner.get());
                        adopt(context.client().resource(Service.TYPE), owner.get());
                      }
                      return next.reconcile(request, context);
                    })
            .build()) {
      manager.add(new WebAppReconciler(registry).controller());
      manager.start();
      Deployment adopted =
          deployments
              .await("shop", d -> d.orElseThrow().spec().replicas() == 2, TIMEOUT)
              .orElseThrow();

      assertThat(OwnerReferences.isControlledBy(adopted, app)).isTrue();
    }
  }

  /** Sets the controller of objects that the Java Operator SDK has created for an owner. */
  private static <T extends KubernetesObject> void adopt(CachedResource<T> objects, WebApp owner)
      throws InterruptedException {
    for (T object : objects.inNamespace(owner.metadata().namespace()).ownedBy(owner)) {
      objects.edit(object, found -> OwnerReferences.setController(found, owner));
    }
  }

  private static void rollOut(ResourceClient<Deployment> deployments) throws InterruptedException {
    deployments.editStatus(
        "shop",
        d ->
            d.with(
                b ->
                    b.editStatus(
                        s ->
                            s.observedGeneration(d.metadata().generation())
                                .replicas(2)
                                .updatedReplicas(2)
                                .readyReplicas(2)
                                .availableReplicas(2))));
  }
}
