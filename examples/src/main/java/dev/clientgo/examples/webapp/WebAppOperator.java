package dev.clientgo.examples.webapp;

import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.Result;
import dev.clientgo.controller.finalizer.FinalizerSet;
import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.examples.generated.com.example.web.v1.WebApp;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.apps.v1.DeploymentSpec;
import dev.clientgo.kubernetes.core.v1.Service;
import dev.clientgo.kubernetes.core.v1.ServiceSpec;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

/** Runs a Deployment and a Service for each WebApp, and registers its name at an HTTP service. */
record WebAppOperator(URI registry, HttpClient http) {

  private void register(String method, WebApp app) throws IOException, InterruptedException {
    URI entry = registry.resolve(app.metadata().namespace() + "/" + app.metadata().name());
    var request = HttpRequest.newBuilder(entry).timeout(Duration.ofSeconds(10));
    var sent = request.method(method, BodyPublishers.noBody()).build();
    int status = http.send(sent, BodyHandlers.discarding()).statusCode();
    if (status / 100 != 2 && status != 404) {
      throw new IOException(method + " " + entry + " was answered with status " + status);
    }
  }

  private Result reconcile(WebApp app, Context context) throws IOException, InterruptedException {
    register("PUT", app);
    var id = ObjectName.of(app);
    var servers = Deployment.of(id.namespace(), id.name(), d -> d.editSpec(s -> fill(s, app)));
    var service = Service.of(id.namespace(), id.name(), d -> d.editSpec(s -> fill(s, app)));
    var children = context.children(app).apply(servers, service);
    var apps = context.client().resource(WebApp.TYPE);
    var ready = children.isReady();
    var text = children.message();
    apps.editStatus(app, a -> a.with(w -> w.editStatus(s -> s.ready(ready).message(text))));
    children.orThrow(); // If a child has failed, the controller tries again.
    return Result.done();
  }

  private Result cleanUp(WebApp app, Context context) throws IOException, InterruptedException {
    register("DELETE", app);
    context.events().normal(app, "Unregistered", "Unregister", "removed from the registry");
    return Result.done();
  }

  private static void fill(DeploymentSpec.Builder spec, WebApp app) {
    spec.replicas(app.spec().replicas()).editSelector(s -> s.matchLabels(labels(app)));
    spec.editTemplate(t -> t.editMetadata(m -> m.labels(labels(app))));
    spec.editTemplate(
        t -> t.editSpec(p -> p.editContainers("web", c -> c.image(app.spec().image()))));
  }

  private static void fill(ServiceSpec.Builder spec, WebApp app) {
    spec.selector(labels(app)).addPorts(p -> p.port(80).targetPort(IntOrString.of(8080)));
  }

  private static Map<String, String> labels(WebApp app) {
    return Map.of("app", app.metadata().name());
  }

  Manager manager(RESTClient client, String namespace, InetSocketAddress metrics) {
    var finalizers = FinalizerSet.of(WebApp.TYPE, "web.example.com/registry", this::cleanUp);
    var controller =
        Controller.builder((r, c) -> finalizers.reconcile(r, c, this::reconcile))
            .forKind(WebApp.TYPE, Predicate.generationChanged())
            .owns(Deployment.TYPE)
            .owns(Service.TYPE);
    var manager =
        Manager.builder(client)
            .leaderElection(LeaseLock.of(namespace, "webapp-operator"))
            .metricsBindAddress(metrics)
            .build();
    manager.add(controller.build());
    return manager;
  }

  public static void main(String[] args) throws InterruptedException {
    var operator = new WebAppOperator(URI.create(args[0]), HttpClient.newHttpClient());
    try (var client = RESTClient.create(KubeConfigLoader.standard().load());
        var manager = operator.manager(client, "default", new InetSocketAddress(8080))) {
      manager.run(); // Until SIGTERM.
    }
  }
}
