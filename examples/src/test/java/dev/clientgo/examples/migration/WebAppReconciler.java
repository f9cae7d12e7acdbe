package dev.clientgo.examples.migration;

import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.controller.TerminalException;
import dev.clientgo.controller.finalizer.FinalizerSet;
import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.controller.scope.Scope;
import dev.clientgo.examples.generated.com.example.web.v1.WebApp;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Service;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import dev.clientgo.workqueue.RateLimiter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The operator of docs/from-java-operator-sdk.md after its migration. */
record WebAppReconciler(Registry registry) {

  static final String APP = "web.example.com/app"; // The label of settings.

  Controller controller() {
    var finalizers = FinalizerSet.of(WebApp.TYPE, "web.example.com/registry", this::cleanUp);
    return Controller.builder((r, context) -> finalizers.reconcile(r, context, this::reconcile))
        .named("webapp")
        .forKind(WebApp.TYPE, Predicate.generationChanged())
        .owns(Deployment.TYPE)
        .owns(Service.TYPE)
        .watches(ConfigMap.TYPE, WebAppReconciler::appOf)
        .scope(ConfigMap.TYPE, Scope.all().withLabels(APP))
        .maxReconcileInterval(Duration.ofHours(1))
        .maxRetries(5)
        .rateLimiter(
            RateLimiter.itemExponentialFailure(Duration.ofSeconds(1), Duration.ofMinutes(1)))
        .minReconcileInterval(Duration.ofSeconds(2))
        .onFinalFailure(
            (app, error, context) -> {
              if (context.client().resource(WebApp.TYPE).find(app).isPresent()) {
                report(app, false, error.getMessage(), context);
              }
            })
        .build();
  }

  private static List<Request> appOf(ConfigMap settings) {
    var meta = settings.metadata();
    return List.of(new Request(meta.namespace(), meta.labels().get(APP)));
  }

  private Result reconcile(WebApp app, Context context) throws IOException, InterruptedException {
    if (app.spec().image().isBlank()) {
      throw new TerminalException("the image is blank");
    }
    var children =
        context.children(app).add(servers(app, context)).whenReady().add(address(app)).apply();
    children.orThrow();
    registry.put(app.metadata().name());
    report(Request.of(app), children.isReady(), children.message(), context);
    return Result.requeueAfter(Duration.ofMinutes(5)); // The registry forgets.
  }

  private Result cleanUp(WebApp app, Context context) throws IOException {
    registry.delete(app.metadata().name());
    return Result.done();
  }

  private static void report(Request app, boolean ready, @Nullable String message, Context context)
      throws InterruptedException {
    var apps = context.client().resource(WebApp.TYPE);
    apps.applyStatus( // Only the fields that are ours.
        WebApp.of(
            app.namespace(), app.name(), a -> a.editStatus(s -> s.ready(ready).message(message))));
  }

  private static Deployment servers(WebApp app, Context context) throws InterruptedException {
    var id = ObjectName.of(app);
    var settings = context.client().resource(ConfigMap.TYPE).inNamespace(id.namespace());
    var version =
        settings.list(Selector.parse(APP + "=" + id.name())).stream()
            .map(map -> map.metadata().resourceVersion())
            .findFirst()
            .orElse("");
    return Deployment.of(
        id.namespace(),
        id.name(),
        d ->
            d.editSpec(
                s ->
                    s.replicas(app.spec().replicas())
                        .editSelector(selector -> selector.matchLabels(labels(app)))
                        .editTemplate(
                            t ->
                                t.editMetadata(
                                        m ->
                                            m.labels(labels(app)).annotations(Map.of(APP, version)))
                                    .editSpec(
                                        p ->
                                            p.editContainers(
                                                "web", c -> c.image(app.spec().image()))))));
  }

  private static Service address(WebApp app) {
    return Service.of(
        app.metadata().namespace(),
        app.metadata().name(),
        d ->
            d.editSpec(
                s ->
                    s.selector(labels(app))
                        .addPorts(p -> p.port(80).targetPort(IntOrString.of(8080)))));
  }

  private static Map<String, String> labels(WebApp app) {
    return Map.of("app", app.metadata().name());
  }

  static void run(Registry registry) throws InterruptedException {
    try (var client = RESTClient.create(KubeConfigLoader.standard().load());
        var manager =
            Manager.builder(client).leaderElection(LeaseLock.of("default", "webapp")).build()) {
      manager.add(new WebAppReconciler(registry).controller());
      manager.run(); // Until SIGTERM.
    }
  }

  interface Registry {
    void put(String name) throws IOException;

    void delete(String name) throws IOException;
  }
}
