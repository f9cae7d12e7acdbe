package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.sharding.ShardField;
import dev.clientgo.apimachinery.sharding.ShardRange;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.StatusReason;
import dev.clientgo.cache.metrics.InformerMetrics;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class SharedInformerFactoryTest extends InformerFactoryFixture {

  private static final ListOptions WEB = ListOptions.builder().labelSelector("app=web").build();

  private static void handle(
      SharedIndexInformer<ApiObject> informer, ResourceEventHandler<ApiObject> handler) {
    informer.addEventHandler(handler);
  }

  // ---- sharing

  @Test
  void informer_ofTheSameResourceNamespaceAndSelectors_isShared() {
    SharedIndexInformer<ApiObject> pods = factory.informer(PODS);

    assertThat(factory.informer(PODS)).isSameAs(pods);
    assertThat(factory.informer(PODS, "")).isSameAs(pods);
    assertThat(factory.informer(PODS, "", ListOptions.NONE)).isSameAs(pods);
    assertThat(factory.informer(NODES, "of no meaning")).isSameAs(factory.informer(NODES));
    assertThat(asked).containsExactly("pods//{}", "nodes//{}");
  }

  /** One factory for many namespaces, where client-go has one factory for each. */
  @Test
  void informer_ofAnotherNamespaceOrSelector_isAnother() throws InterruptedException {
    server("pods/a/{}").put("a/of-a");
    server("pods/b/{}").put("b/of-b");
    server("pods/b/{labelSelector=app=web}").put("b/web");
    SharedIndexInformer<ApiObject> a = factory.informer(PODS, "a");
    SharedIndexInformer<ApiObject> b = factory.informer(PODS, "b");
    SharedIndexInformer<ApiObject> web = factory.informer(PODS, "b", WEB);

    factory.start();
    factory.awaitSynced(SOON).orThrow();

    assertThat(a.indexer().listKeys()).containsExactly("a/of-a");
    assertThat(b.indexer().listKeys()).containsExactly("b/of-b");
    assertThat(web.indexer().listKeys()).containsExactly("b/web");
    assertThat(factory.health()).containsOnlyKeys("pods in a", "pods in b", web.name());
    assertThat(web.name()).contains("pods in b with", "app=web");
  }

  @Test
  void informer_whatIsNoSelector_isIgnored() {
    ListOptions more = WEB.toBuilder().limit(7L).resourceVersion("12").build();

    assertThat(factory.informer(PODS, "a", more)).isSameAs(factory.informer(PODS, "a", WEB));
    assertThat(asked).containsExactly("pods/a/{labelSelector=app=web}");
  }

  /** The informer asks for its shard itself, and drops the objects of others. */
  @Test
  void informer_ofAShard_isAnotherWithItsObjects() throws InterruptedException {
    for (int i = 0; i < 20; i++) {
      pods().put("default/p" + i);
    }
    ShardSelector half = ShardSelector.of(ShardField.UID, ShardRange.split(2).get(0));
    SharedIndexInformer<ApiObject> all = factory.informer(PODS);
    SharedIndexInformer<ApiObject> part = factory.of(PODS).withShard(half).informer();

    factory.start();
    factory.awaitSynced(SOON).orThrow();

    assertThat(asked).containsExactly("pods//{}", "pods//{}");
    assertThat(all.indexer().list()).hasSize(20);
    assertThat(part.indexer().list())
        .containsExactlyInAnyOrderElementsOf(
            pods().objects().values().stream().filter(half::matches).toList());
    assertThat(part.name()).isEqualTo("pods of a shard"); // Which one, may change.
    assertThat(factory.of(PODS).withShard(half).informer()).isSameAs(part);
  }

  /** The same resource as typed objects and as trees; two versions of a resource. */
  @Test
  void informer_ofObjectsOfAnotherType_isAnotherWithANameOfItsOwn() {
    ResourceType<ApiObject> again =
        ResourceType.namespaced(
            DEPLOYMENTS.kind(), DEPLOYMENTS.resource().resource(), new NoCodec("typed"));
    ResourceType<ApiObject> trees =
        ResourceType.namespaced(
            DEPLOYMENTS.kind(), DEPLOYMENTS.resource().resource(), new NoCodec("trees"));

    SharedIndexInformer<ApiObject> typed = factory.informer(DEPLOYMENTS);

    assertThat(factory.informer(again)).isSameAs(typed);
    assertThat(factory.informer(trees)).isNotSameAs(typed);
    assertThat(factory.health()).containsOnlyKeys("deployments.apps", "deployments.apps #2");
  }

  // ---- options

  /**
   * The namespace and the selectors of the factory apply to informers that set none (WithNamespace,
   * WithTweakListOptions).
   */
  @Test
  void namespaceAndTweak_applyToInformersThatDoNotNameTheirs() {
    factory =
        builder()
            .namespace("ours")
            .tweakListOptions(options -> options.toBuilder().fieldSelector("x=y").build())
            .build();

    factory.informer(PODS);
    factory.informer(PODS, "theirs", WEB);
    factory.informer(NODES);

    assertThat(asked)
        .containsExactly(
            "pods/ours/{fieldSelector=x=y}",
            "pods/theirs/{labelSelector=app=web, fieldSelector=x=y}",
            "nodes//{fieldSelector=x=y}");
  }

  /**
   * Options can be set for the informers of one resource (WithCustomResyncConfig, WithTransform).
   */
  @Test
  void configure_appliesToTheInformersOfOneResource() throws InterruptedException {
    FakeClock clock = FakeClock.create();
    factory =
        builder()
            .options(ReflectorOptions.builder().useWatchList(true).clock(clock).build())
            .configure(
                PODS,
                pods ->
                    pods.resyncPeriod(Duration.ofSeconds(2))
                        .indexer("app", pod -> List.of("web"))
                        .transform(pod -> pod.withLabel("app", "web")))
            .build();
    server("pods/a/{}").put("a/pod");
    server("nodes//{}").put("node");
    RecordingHandler pods = new RecordingHandler();
    RecordingHandler nodes = new RecordingHandler();
    handle(factory.informer(PODS, "a"), pods);
    handle(factory.informer(NODES), nodes);
    factory.start();
    pods.await(1);
    nodes.await(1);
    clock.awaitWaiterWithin(Duration.ofSeconds(2)); // the resync: all else comes later
    clock.advance(Duration.ofSeconds(2));

    assertThat(pods.await(2)).containsExactly("add a/pod@1 initial", "update a/pod@1 1");
    assertThat(nodes.events()).containsExactly("add node@1 initial");
    Lister<ApiObject> lister = factory.of(PODS).lister();
    assertThat(factory.informer(PODS, "a").indexer().byIndex("app", "web")).hasSize(1);
    assertThat(lister.list(Selector.everything())).isEmpty();
  }

  @Test
  void metrics_areMadeForEachInformerByItsName() throws InterruptedException {
    List<String> names = new ArrayList<>();
    factory =
        builder()
            .metrics(
                name -> {
                  names.add(name);
                  return InformerMetrics.NONE;
                })
            .build();

    factory.informer(PODS);
    factory.informer(PODS);
    factory.informer(DEPLOYMENTS, "a");

    assertThat(names).containsExactly("pods", "deployments.apps in a");
  }

  // ---- lifecycle

  @Test
  void start_startsOnlyWhatIsNew() throws InterruptedException {
    SharedIndexInformer<ApiObject> pods = factory.informer(PODS);
    factory.start();
    assertThat(pods.awaitSynced(SOON)).isTrue();
    SharedIndexInformer<ApiObject> nodes = factory.informer(NODES);
    assertThat(nodes.isRunning()).isFalse();

    factory.start();

    assertThat(nodes.awaitSynced(SOON)).isTrue();
    assertThat(pods.isRunning()).isTrue();
    assertThat(pods().requests()).hasSize(1);
  }

  @Test
  void close_closesAllAndIsFinal() throws InterruptedException {
    SharedIndexInformer<ApiObject> pods = factory.informer(PODS);
    SharedIndexInformer<ApiObject> neverStarted = factory.informer(NODES);
    pods.start();

    factory.close();
    factory.close();

    assertThat(pods.isStopped()).isTrue();
    assertThat(neverStarted.isStopped()).isTrue();
    assertThatThrownBy(factory::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(() -> factory.informer(PODS)).isInstanceOf(IllegalStateException.class);
  }

  // ---- one informer

  @Test
  void stop_endsOneInformerAndTheNextRequestMakesAnother() throws InterruptedException {
    pods().put("a/pod");
    RecordingHandler first = new RecordingHandler();
    SharedIndexInformer<ApiObject> pods = factory.informer(PODS);
    handle(pods, first);
    SharedIndexInformer<ApiObject> nodes = factory.informer(NODES);
    factory.start();
    first.await(1);

    assertThat(factory.stop(pods)).isTrue();
    assertThat(factory.stop(pods)).isFalse();
    assertThat(pods.isStopped()).isTrue();
    assertThat(pods().openWatches()).isZero();
    assertThat(nodes.isRunning()).isTrue();

    SharedIndexInformer<ApiObject> again = factory.informer(PODS);
    RecordingHandler second = new RecordingHandler();
    handle(again, second);
    pods().put("a/another");
    factory.start();

    assertThat(again).isNotSameAs(pods);
    assertThat(again.name()).isEqualTo(pods.name());
    assertThat(second.await(2))
        .containsExactlyInAnyOrder("add a/pod@1 initial", "add a/another@2 initial");
    assertThat(first.events()).hasSize(1);
  }

  @Test
  void stop_informerOfAnotherFactory_isLeftAlone() {
    try (SharedInformerFactory other = builder().build()) {
      SharedIndexInformer<ApiObject> theirs = other.informer(PODS);

      assertThat(factory.stop(theirs)).isFalse();
      assertThat(theirs.isStopped()).isFalse();
    }
  }

  /** As the one stop channel of client-go. */
  @Test
  void close_stopsAllBeforeItWaitsForAny() throws InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    CountDownLatch heard = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(1);
    AtomicBoolean inTime = new AtomicBoolean();
    pods().put("a/pod");
    handle(
        factory.informer(PODS),
        new ResourceEventHandler<>() {
          @Override
          public void onAdd(ApiObject object, boolean isInInitialList) {
            heard.countDown();
            inTime.set(awaits(stopped));
          }
        });
    server("nodes//{}")
        .onRequest(
            request -> {
              asked.countDown();
              return hangUntilInterrupted(request, stopped);
            });
    factory.informer(NODES);
    factory.start();
    assertThat(heard.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();

    factory.close();

    assertThat(inTime).isTrue();
  }

  private static boolean awaits(CountDownLatch latch) {
    try {
      return latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      return false; // The caller of close has lost patience.
    }
  }

  @Test
  void informer_closedByWhoeverHasIt_isMadeAnew() throws InterruptedException {
    SharedIndexInformer<ApiObject> pods = factory.informer(PODS);
    pods.close();
    factory.start();

    SharedIndexInformer<ApiObject> again = factory.informer(PODS);
    factory.start();

    assertThat(again).isNotSameAs(pods);
    factory.awaitSynced(SOON).orThrow();
  }

  /** After the removal of a CRD, the informer stops listing it (kubernetes#79610). */
  @Test
  void closeWhenMissing_resourceDisappears_informerEndsByItself() throws Exception {
    CountDownLatch missing = new CountDownLatch(1);
    factory =
        builder()
            .configureAll(
                all ->
                    all.closeWhenMissing(Duration.ZERO)
                        .watchErrorHandler((reflector, error) -> missing.countDown()))
            .build();
    pods().put("a/pod");
    RecordingHandler handler = new RecordingHandler();
    SharedIndexInformer<ApiObject> pods = factory.informer(PODS);
    SharedIndexInformer<ApiObject> nodes = factory.informer(NODES);
    handle(pods, handler);
    factory.start();
    handler.await(1);

    pods().onRequest(SharedInformerFactoryTest::notFound);
    pods().disconnect();
    assertThat(missing.await(30, TimeUnit.SECONDS)).isTrue();
    Clock clock = Clock.system();
    long deadline = clock.nanoTime() + SOON.toNanos();
    while (pods.isRunning() && clock.nanoTime() - deadline < 0) {
      Thread.onSpinWait();
    }
    assertThat(pods.isRunning()).isFalse();
    pods.close(); // Waits for the threads, should it still be closing itself.

    assertThat(nodes.isRunning()).isTrue();
    assertThat(handler.events()).containsExactly("add a/pod@1 initial");
    int requests = pods().requests().size();

    pods().onRequest(request -> request);
    SharedIndexInformer<ApiObject> again = factory.informer(PODS);
    factory.start();
    assertThat(again.awaitSynced(SOON)).isTrue();
    assertThat(pods().requests()).hasSize(requests + 1);
  }

  private static FakeServer.Request notFound(FakeServer.Request request) {
    throw FakeServer.error(StatusReason.NOT_FOUND, 404, "the server could not find the resource");
  }

  // ---- resource informers

  @Test
  void of_withNamespaceAndSelectors_isTheInformerOfThatPart() throws InterruptedException {
    server("pods/b/{labelSelector=app=web}").put("b/web");
    SharedInformerFactory.ResourceInformer<ApiObject> web =
        factory.of(PODS).inNamespace("b").withLabels("app=web");

    SharedIndexInformer<ApiObject> informer = web.informer();
    factory.start();
    factory.awaitSynced(SOON).orThrow();

    assertThat(informer).isSameAs(factory.informer(PODS, "b", WEB));
    assertThat(factory.of(PODS).inNamespace("b").withLabels(Selector.parse("app=web")).informer())
        .isSameAs(informer);
    assertThat(factory.of(PODS).inNamespace("b").withFields("spec.nodeName=n").informer().name())
        .contains("spec.nodeName=n");
    assertThat(web.lister().list()).extracting(pod -> pod.metadata().name()).containsExactly("web");
    assertThat(informer.lister().find(new ObjectName("b", "web"))).isPresent();
    assertThatThrownBy(() -> informer.lister().get("web"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("pods live in namespaces");
  }

  @Test
  void of_badSelector_isRefusedAtOnce() {
    assertThatThrownBy(() -> factory.of(PODS).withLabels("app in web"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void resourceInformer_givesTheInformerAndItsLister() throws InterruptedException {
    pods().put("a/pod");
    SharedInformerFactory.ResourceInformer<ApiObject> informer = factory.of(PODS);
    Lister<ApiObject> lister = informer.lister();
    factory.start();
    factory.awaitSynced(SOON).orThrow();

    assertThat(informer.informer()).isSameAs(factory.informer(PODS));
    assertThat(informer.type()).isSameAs(PODS);
    assertThat(lister.inNamespace("a").get("pod").metadata().name()).isEqualTo("pod");
    assertThat(lister.inNamespace("a").list()).hasSize(1);
    assertThat(lister.inNamespace("b").list()).isEmpty();
    assertThatThrownBy(() -> lister.get("pod"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("pods live in namespaces: call lister.inNamespace(");
    assertThat(factory.informer(PODS).indexer().indexers())
        .containsOnlyKeys(Indexer.NAMESPACE_INDEX);
    assertThatThrownBy(() -> lister.inNamespace("b").get("pod"))
        .isInstanceOf(ApiStatusException.class)
        .hasMessage("pods \"pod\" not found");
  }
}
