package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.Conditions;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.cache.IndexFunction;
import dev.clientgo.controller.finalizer.FinalizerSet;
import dev.clientgo.controller.scope.Scope;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.kubernetes.core.v1.Service;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** The examples of {@code docs/controllers.md}, which are compiled here with a ConfigMap as Foo. */
final class ControllersPageTest {

  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  static void run(RESTClient client) throws InterruptedException {
    Reconciler reconciler =
        (request, context) -> {
          CachedResource<ConfigMap> foos = context.client().resource(ConfigMap.TYPE);
          Optional<ConfigMap> foo = foos.find(request);
          if (foo.isEmpty()) {
            return Result.done(); // It is gone, and what it owned goes with it.
          }
          return bringAbout(foo.get()) ? Result.done() : Result.requeueAfter(Duration.ofMinutes(1));
        };
    try (Manager manager = Manager.create(client)) {
      manager.add(
          Controller.builder(reconciler)
              .forKind(ConfigMap.TYPE)
              .owns(Deployment.TYPE)
              .workers(4)
              .build());
      manager.run(); // Until SIGTERM.
    }
  }

  static int readAtOnce(Context context) throws InterruptedException {
    ResourceView<ConfigMap> foos = context.view(ConfigMap.TYPE).inNamespace("shop");
    int all = foos.size();
    int web = foos.list(Selector.parse("app=web")).size(); // Never more than all.
    Optional<ConfigMap> settings = foos.find("settings"); // Is among all, if it is there.
    return all - web + settings.map(foo -> 1).orElse(0);
  }

  static List<ConfigMap> readAndWrite(Context context) throws InterruptedException {
    CachedResource<ConfigMap> maps = context.client().resource(ConfigMap.TYPE).inNamespace("shop");
    Optional<ConfigMap> settings = maps.find("settings");
    if (settings.isEmpty()) {
      maps.create(ConfigMap.of("shop", "settings", c -> c.data(Map.of("colour", "green"))));
    }
    List<ConfigMap> all = maps.list(Selector.parse("app=web")); // Has the new one.
    return all;
  }

  static void events(Context context, ConfigMap foo) {
    context.events().normal(foo, "Created", "CreateDeployment", "created the deployment web");
  }

  static void write(Context context, ConfigMap foo) throws InterruptedException {
    Operation<ConfigMap> settings =
        context
            .client()
            .resource(ConfigMap.TYPE)
            .createOrUpdate(
                ConfigMap.of("shop", "settings", c -> {}),
                map ->
                    OwnerReferences.setController(
                        map.with(c -> c.data(Map.of("colour", "green"))), foo));
    if (settings.isChanged()) {
      context.events().normal(foo, "Configured", "Configure", "settings %s", settings.result());
    }
  }

  static void status(CachedResource<Deployment> deployments, Deployment deployment)
      throws InterruptedException {
    deployments.editStatus(
        deployment,
        d ->
            d.with(
                b ->
                    b.editStatus(
                        s ->
                            s.observedGeneration(d.metadata().generation())
                                .editConditions(
                                    "Available",
                                    c -> c.status(Conditions.TRUE).reason("Started")))));
  }

  static Reconciler finalizers() {
    FinalizerSet<ConfigMap> finalizers =
        FinalizerSet.builder(ConfigMap.TYPE)
            .add("example.com/tables", (foo, context) -> dropTables(foo))
            .add("example.com/bucket", (foo, context) -> emptyBucket(foo))
            .build();
    Reconciler reconciler =
        (request, context) ->
            finalizers.reconcile(request, context, (foo, c) -> createTablesAndBucket(foo));
    return reconciler;
  }

  private static Result dropTables(ConfigMap foo) {
    return done(foo);
  }

  private static Result emptyBucket(ConfigMap foo) {
    return done(foo);
  }

  private static Result createTablesAndBucket(ConfigMap foo) {
    return done(foo);
  }

  private static Result done(ConfigMap foo) {
    return bringAbout(foo) ? Result.done() : Result.requeueAfter(Duration.ofMinutes(1));
  }

  static Manager recorded(RESTClient client) {
    DebugRecorder recorder = DebugRecorder.create();
    Manager manager =
        Manager.builder(client)
            .metricsBindAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 8080))
            .debugRecorder(recorder)
            .build();
    return manager;
  }

  static Controller paced(Reconciler reconciler) {
    Controller paced =
        Controller.builder(reconciler)
            .forKind(ConfigMap.TYPE)
            .workers(2, 16) // Follows the load.
            .minReconcileInterval(Duration.ofSeconds(5)) // Of one object.
            .maxReconcileInterval(Duration.ofHours(10))
            .maxRetries(10)
            .onFinalFailure(
                (request, error, context) -> // If this throws, the request comes again.
                context
                        .client()
                        .resource(ConfigMap.TYPE)
                        .inNamespace(request.namespace())
                        .editStatus(request.name(), foo -> failed(foo, error)))
            .build();
    return paced;
  }

  private static ConfigMap failed(ConfigMap foo, Throwable error) {
    return foo.with(c -> c.data(Map.of("error", error.toString())));
  }

  static void addWork(Manager manager, ManagerRunnable cleaner, ManagerRunnable api) {
    manager.add("cleaner", cleaner); // Where the process leads; its client cannot write later.
    manager.addEverywhere("api", api); // In each process.
  }

  static boolean applyChildren(
      Context context, ConfigMap pages, Deployment servers, Service service, ConfigMap site)
      throws InterruptedException {
    ChildrenResult children = context.children(site).apply(pages, servers, service);
    boolean ready = children.isReady(); // For the status of the site, like children.message().
    children.orThrow(); // If a child has failed, the controller tries again.
    return ready;
  }

  static List<ChildrenResult.Child> applyStages(
      Context context, Deployment database, Deployment web, Service service, ConfigMap shop)
      throws InterruptedException {
    ChildrenResult children =
        context.children(shop).add(database).whenReady().add(web, service).apply();
    List<ChildrenResult.Child> waiting = children.in(ChildrenResult.State.WAITING);
    return waiting;
  }

  static void usersOfAMap(RESTClient client, Reconciler reconciler) {
    Manager manager =
        Manager.builder(client)
            .informers(
                factory ->
                    factory.configure(
                        ConfigMap.TYPE,
                        informer ->
                            informer.indexer(
                                "uses",
                                IndexFunction.ofNullable(
                                    foo -> foo.metadata().annotations().get("uses")))))
            .build();
    manager.add(
        Controller.builder(reconciler)
            .forKind(ConfigMap.TYPE)
            .watches(
                ConfigMap.TYPE,
                (map, reader) ->
                    reader.resource(ConfigMap.TYPE).byIndex("uses", map.metadata().name()).stream()
                        .map(Request::of)
                        .toList())
            .build());
  }

  static void limited(RESTClient client) throws InterruptedException {
    Manager manager =
        Manager.builder(client)
            .inNamespaces("shop", "billing")
            .scope(Secret.TYPE, Scope.all().withLabels("app.kubernetes.io/managed-by=shop"))
            .failOnUnwatched()
            .build();
    manager.addNamespace("stock");
    manager.removeNamespace("billing");
  }

  private static boolean bringAbout(ConfigMap foo) {
    return foo.metadata().name() != null;
  }

  static Manager serveMetrics(RESTClient client) {
    Manager manager =
        Manager.builder(client)
            .http(new InetSocketAddress(8081))
            .metricsBindAddress(new InetSocketAddress(8443))
            .metricsCertificates(Path.of("/var/run/metrics-certs"))
            .authorizeMetrics()
            .build();
    return manager;
  }

  static Manager withMdc(RESTClient client) {
    Manager manager =
        Manager.builder(client)
            .observer(
                reconcile -> {
                  MDC.put("controller", reconcile.controller());
                  MDC.put("namespace", reconcile.request().namespace());
                  MDC.put("name", reconcile.request().name());
                  MDC.put("reconcileId", Long.toString(reconcile.reconcileId()));
                  return (outcome, error) -> MDC.clear();
                })
            .build();
    return manager;
  }

  @Test
  void examples_areThoseOfThisClass() throws IOException {
    Path folder = Path.of("src/test/java/dev/clientgo/controller");
    String here =
        squeezed(
            Files.readString(folder.resolve("ControllersPageTest.java"))
                + Files.readString(folder.resolve("LastingLogManager.java")));
    String page = Files.readString(Path.of("../docs/controllers.md"));
    int begin = page.indexOf("\n## Many clusters"); // CodeBlocksTest compiles its code.
    int end = page.indexOf("\n## Health, readiness");
    Matcher examples = EXAMPLE.matcher(page.substring(0, begin) + page.substring(end));
    int count = 0;
    while (examples.find()) {
      assertThat(here).contains(squeezed(examples.group(1).replaceAll("\\bFoo\\b", "ConfigMap")));
      count++;
    }

    assertThat(count).isEqualTo(17);
  }

  private static String squeezed(String code) {
    return code.replaceAll("\\s+", "");
  }
}
