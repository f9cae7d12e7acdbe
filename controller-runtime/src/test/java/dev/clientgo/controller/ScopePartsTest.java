package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.cache.IndexFunction;
import dev.clientgo.clock.Interruptible;
import dev.clientgo.controller.scope.Scope;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.traffic.OpenWatch;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.testing.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A kind in two namespaces, and so with two informers, of which one has a fault. */
@Timeout(100)
final class ScopePartsTest {

  private static final int ROUNDS = Integer.getInteger("clientgo.rounds", 30);
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final RESTClient client = RESTClient.create(server.restConfig());

  @BeforeEach
  void start() throws InterruptedException {
    for (String namespace : List.of("a", "b")) {
      client.resource(Namespace.TYPE).create(Namespace.of(namespace, n -> {}));
    }
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private ManagerBuilder builder() {
    return Manager.builder(client).reportFieldFights(false).inNamespaces("a", "b");
  }

  private void create(String namespace, String name) throws InterruptedException {
    client.resource(ConfigMap.TYPE).create(map(namespace, name));
  }

  private static ConfigMap map(String namespace, String name) {
    return ConfigMap.of(namespace, name, c -> c.data(Map.of("uses", "x")));
  }

  private void fault(String namespace, Consumer<OpenWatch> fault) {
    server.watches().stream()
        .filter(watch -> watch.request().path().contains("/namespaces/" + namespace + "/"))
        .forEach(fault);
  }

  private static List<String> names(List<ConfigMap> maps) {
    return maps.stream().map(each -> each.metadata().name()).sorted().toList();
  }

  // ---- reads

  /** Another namespace of the scope has such labels, which makes an empty answer no truer. */
  @Test
  void labels_thatTheNamespaceOfTheReadCannotHave_areAnError() throws Exception {
    Scope scope =
        Scope.all()
            .inNamespaces("a")
            .withLabels("app=web")
            .or(Scope.all().inNamespaces("b").withLabels("app=api"));
    try (Manager manager = builder().scope(ConfigMap.TYPE, scope).build()) {
      manager.start();
      CachedResource<ConfigMap> maps = manager.client().resource(ConfigMap.TYPE);
      Selector api = Selector.parse("app=api");

      assertThat(maps.list(api)).isEmpty();
      assertThat(maps.inNamespace("b").list(api)).isEmpty();
      assertThatThrownBy(() -> maps.inNamespace("a").list(api))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("app=web")
          .hasMessageNotContaining("labels app=api");
    }
  }

  /** An index that is there for one namespace is there for none. */
  @Test
  void index_ofAManagerThatHasNoNamespaceNow_findsNothing() throws Exception {
    IndexFunction<ConfigMap> uses = IndexFunction.ofNullable(map -> map.data().get("uses"));
    create("a", "m");
    try (Manager manager =
        builder()
            .informers(f -> f.configure(ConfigMap.TYPE, i -> i.indexer("uses", uses)))
            .build()) {
      manager.start();
      CachedResource<ConfigMap> maps = manager.client().resource(ConfigMap.TYPE);
      assertThat(names(maps.byIndex("uses", "x"))).containsExactly("m");
      manager.removeNamespace("a");
      assertThat(maps.byIndex("uses", "x")).isEmpty();
      manager.removeNamespace("b");

      assertThat(maps.list()).isEmpty();
      assertThat(maps.byIndex("uses", "x")).isEmpty();

      manager.addNamespace("a");
      assertThat(names(maps.byIndex("uses", "x"))).containsExactly("m");
    }
  }

  /** Only the server knows what a write through another type has done; it is not asked in vain. */
  @Test
  void ownWriteInAnotherNamespace_whoseServerDoesNotAnswer_holdsUpNoRead() throws Exception {
    create("b", "m");
    try (Manager manager = builder().build()) {
      manager.start();
      CachedResource<ConfigMap> maps = manager.client().resource(ConfigMap.TYPE);
      assertThat(names(maps.list())).containsExactly("m");
      server.awaitWatches(2);
      fault("a", OpenWatch::goSilent);
      create("a", "other");
      server
          .faults()
          .on(
              request ->
                  request.method().equals("GET") && request.path().contains("/namespaces/a/"))
          .always()
          .answer(403);
      manager
          .client()
          .resource(ConfigMap.TYPE.metadataOnly())
          .inNamespace("a")
          .patch("other", Patch.merge(Map.of("data", Map.of("k", "v"))));
      assertThatThrownBy(maps::list).isInstanceOf(KubernetesException.class);

      assertThat(names(maps.inNamespace("b").list())).containsExactly("m");
    }
  }

  // ---- health

  /** The events of a namespace wait for a mapping that fails, and the other has no such trouble. */
  @Test
  void mappingThatFailsInOneNamespace_isNotReady_whateverItDoesInTheOther() throws Exception {
    create("a", "bad");
    AtomicInteger good = new AtomicInteger();
    AtomicInteger bad = new AtomicInteger();
    try (Manager manager = builder().build()) {
      Controller controller =
          Controller.builder((request, context) -> Result.done())
              .named("mapping")
              .watches(
                  ConfigMap.TYPE,
                  (map, reader) -> {
                    if ("a".equals(map.metadata().namespace())) {
                      bad.incrementAndGet();
                      reader.uncached().resource(Secret.TYPE).inNamespace("a").get("none");
                    }
                    good.incrementAndGet();
                    return List.of();
                  })
              .build();
      manager.add(controller);
      manager.start();
      for (int failures = 1; failures <= 4; failures++) {
        int least = failures;
        Eventually.await("failure " + failures, () -> bad.get() >= least);
        int before = good.get();
        create("b", "good-" + failures);
        Eventually.await("a success", () -> good.get() > before);
      }

      AtomicInteger more = new AtomicInteger();
      Eventually.await(
          "the problem",
          () ->
              createAnother(more)
                  && controller
                      .problem(/* alsoFunctions= */ true)
                      .filter(text -> text.contains("The mapping of configmaps has failed"))
                      .isPresent());
      client.resource(Secret.TYPE).create(Secret.of("a", "none", s -> {}));
      Eventually.await("health", () -> controller.problem(true).isEmpty());
    }
  }

  /** Returns true. */
  private boolean createAnother(AtomicInteger number) {
    try {
      create("b", "more-" + number.incrementAndGet());
      return true;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  // ---- removed namespaces

  @Test
  void readsOfAView_whoseNamespaceWasRemoved_areErrors() throws Exception {
    create("b", "m");
    try (Manager manager = builder().build()) {
      manager.start();
      CachedResource<ConfigMap> maps = manager.client().resource(ConfigMap.TYPE);
      ResourceView<ConfigMap> b = maps.inNamespace("b").view();
      assertThat(names(b.list())).containsExactly("m");

      manager.removeNamespace("b");

      assertThatThrownBy(b::list).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> b.get("m")).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> b.find("m")).isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** The thread that adds a namespace ends what another one has closed meanwhile. */
  @Test
  void controllerThatIsRemoved_whileANamespaceCannotBeAdded_leavesNoWatch() throws Exception {
    CountDownLatch adds = new CountDownLatch(1);
    CountDownLatch removed = new CountDownLatch(1);
    AtomicBoolean fails = new AtomicBoolean();
    Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    try (Manager manager =
        builder()
            .informers(
                factory ->
                    factory.configure(
                        ConfigMap.TYPE,
                        informer -> {
                          if (fails.get()) {
                            adds.countDown();
                            Interruptible.run(removed::await);
                            throw new IllegalStateException("a fault of the program");
                          }
                        }))
            .build()) {
      Controller controller =
          Controller.builder((request, context) -> Result.done()).forKind(ConfigMap.TYPE).build();
      manager.add(controller);
      manager.start();
      assertThat(manager.awaitReady(LIMIT)).isTrue();
      server.awaitWatches(2);
      fails.set(true);
      Thread adder =
          new Thread(
              () -> {
                try {
                  manager.addNamespace("c");
                } catch (Throwable e) {
                  errors.add(e);
                }
              },
              "adder");
      adder.start();
      adds.await();

      assertThat(manager.remove(controller)).isTrue();
      removed.countDown();
      adder.join();

      assertThat(errors).singleElement().asString().contains("a fault of the program");
      Eventually.await("the end of the watches", () -> server.watches().isEmpty());
      assertThat(manager.informerHealth()).isEmpty();
    }
  }

  /** Namespaces come and go while the controller writes into them and another thread reads. */
  @Test
  void namespacesThatComeAndGo_loseNoObject_andLeaveNoThread() throws Exception {
    for (int i = 0; i < 5; i++) {
      create("a", "m" + i);
      create("b", "m" + i);
    }
    Set<Request> reconciled = ConcurrentHashMap.newKeySet();
    Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    AtomicBoolean ends = new AtomicBoolean();
    try (Manager manager = builder().build()) {
      manager.add(
          Controller.builder(
                  (request, context) -> {
                    CachedResource<ConfigMap> maps = context.client().resource(ConfigMap.TYPE);
                    Optional<ConfigMap> found = maps.find(request); // Throws if it has left.
                    if (found.isEmpty()) {
                      errors.add(new AssertionError("no object was deleted: " + request));
                    } else {
                      maps.edit(
                          found.get(), m -> m.with(c -> c.editData(d -> d.put("seen", "yes"))));
                      reconciled.add(request);
                    }
                    return Result.done();
                  })
              .forKind(ConfigMap.TYPE)
              .workers(4)
              .build());
      manager.start();
      assertThat(manager.awaitReady(LIMIT)).isTrue();
      Thread reader =
          new Thread(
              () -> {
                CachedResource<ConfigMap> maps = manager.client().resource(ConfigMap.TYPE);
                while (!ends.get()) {
                  try {
                    int inA = maps.inNamespace("a").list().size();
                    if (inA != 5) {
                      errors.add(new AssertionError("half a list: " + inA));
                    }
                    if (maps.inNamespace("b").find("m1").isEmpty()) {
                      errors.add(new AssertionError("half a cache"));
                    }
                  } catch (IllegalArgumentException e) {
                    // The namespace is not there now.
                  } catch (Throwable e) {
                    errors.add(e);
                  }
                }
              },
              "reader");
      reader.start();
      for (int i = 0; i < ROUNDS; i++) {
        manager.removeNamespace("b");
        manager.addNamespace("b");
      }
      ends.set(true);
      reader.join();
      reconciled.clear();
      manager.removeNamespace("b");
      manager.addNamespace("b");
      Eventually.await("all of the namespace", () -> reconciled.size() == 5);
      assertThat(errors).isEmpty();
      assertThat(manager.informerHealth()).hasSize(2);
      server.awaitWatches(2);
      manager.removeNamespace("b");
      Eventually.await("one watch", () -> server.watches().size() == 1);
    }
    Eventually.await(
        "the threads",
        () -> Thread.getAllStackTraces().keySet().stream().noneMatch(ScopePartsTest::isOfB));
  }

  private static boolean isOfB(Thread thread) {
    return thread.getName().contains("configmaps in b");
  }

  // ---- faults of one part

  @Test
  void expiredVersion_inOneNamespace_isListedAgain_andTheOtherGoesOn() throws Exception {
    create("a", "stays");
    create("a", "goes");
    create("b", "m");
    Queue<Request> deleted = new ConcurrentLinkedQueue<>();
    RecordingReconciler reconciler = new RecordingReconciler();
    try (Manager manager = builder().build()) {
      manager.add(
          Controller.builder(
                  (request, context) -> {
                    if (context.client().resource(ConfigMap.TYPE).find(request).isEmpty()) {
                      deleted.add(request);
                    }
                    return reconciler.reconcile(request, context);
                  })
              .forKind(ConfigMap.TYPE)
              .build());
      manager.start();
      assertThat(manager.awaitReady(LIMIT)).isTrue();
      server.awaitWatches(2);
      fault("a", OpenWatch::goSilent);
      client.resource(ConfigMap.TYPE).inNamespace("a").delete("goes");
      create("a", "new");
      server.faults().expireResourceVersions();
      server.clearRequests();
      fault("a", OpenWatch::cut);

      reconciler.awaitCall(new Request("a", "new"));
      Eventually.await("the deletion", () -> deleted.contains(new Request("a", "goes")));
      assertThat(deleted).containsExactly(new Request("a", "goes"));
      assertThat(server.requests())
          .filteredOn(request -> request.path().contains("/namespaces/b/configmaps"))
          .isEmpty();
      create("b", "later");
      reconciler.awaitCall(new Request("b", "later"));
      assertThat(names(manager.client().resource(ConfigMap.TYPE).list()))
          .containsExactly("later", "m", "new", "stays");
    }
  }
}
