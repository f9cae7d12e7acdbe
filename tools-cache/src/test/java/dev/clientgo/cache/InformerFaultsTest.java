package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.metrics.InformerMetrics;
import dev.clientgo.testing.Fault;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each function of the user throws each kind of error. The informer reports and counts it, and the
 * next events arrive, at the other handlers, too.
 */
final class InformerFaultsTest extends InformerFixture {

  private SharedIndexInformer<ApiObject> start(SharedIndexInformer.Builder<ApiObject> builder) {
    SharedIndexInformer<ApiObject> informer =
        informer(
            builder,
            ReflectorOptions.builder().backoff(Backoff.builder(Duration.ofMillis(1)).build()));
    informer.addEventHandler(handler);
    informer.start();
    return informer;
  }

  private static boolean isNamed(ApiObject object, String name) {
    return name.equals(object.metadata().name());
  }

  @ParameterizedTest
  @EnumSource
  void handler_thatThrows_isCountedAndGetsTheNextEvents(Fault fault) throws Exception {
    RecordingHandler rest = new RecordingHandler();
    SharedIndexInformer<ApiObject> informer = informer();
    informer.addEventHandler(
        ResourceEventHandlerFuncs.<ApiObject>builder()
            .onAdd(
                object -> {
                  if (isNamed(object, "bad")) {
                    fault.fail();
                  }
                  rest.onAdd(object, false);
                })
            .build());
    informer.addEventHandler(handler);
    informer.start();
    assertThat(informer.awaitSynced(SOON)).isTrue();

    server.put("default/bad");
    server.put("default/good");

    assertThat(handler.await(2)).hasSize(2);
    assertThat(rest.await(1)).containsExactly("add default/good@2");
    assertThat(informer.health().handlers())
        .extracting(InformerHealth.Handler::failures)
        .containsExactly(1L, 0L);
  }

  @ParameterizedTest
  @EnumSource
  void transform_thatThrows_omitsThatObjectAlone(Fault fault) throws Exception {
    SharedIndexInformer<ApiObject> informer =
        start(
            SharedIndexInformer.builder(server)
                .transform(object -> isNamed(object, "bad") ? fault.fail() : object));
    assertThat(informer.awaitSynced(SOON)).isTrue();

    server.put("default/bad");
    server.put("default/good");

    assertThat(handler.await(1)).containsExactly("add default/good@2");
    assertThat(informer.health().omitted().toString()).contains("default/bad");
    assertThat(informer.health().lastError()).isPresent();
    assertThat(server.openWatches()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void indexFunction_thatThrows_omitsThatObjectAlone(Fault fault) throws Exception {
    SharedIndexInformer<ApiObject> informer =
        start(
            SharedIndexInformer.builder(server)
                .indexer("broken", object -> isNamed(object, "bad") ? fault.fail() : List.of("x")));
    assertThat(informer.awaitSynced(SOON)).isTrue();

    server.put("default/bad");
    server.put("default/good");

    assertThat(handler.await(1)).containsExactly("add default/good@2");
    assertThat(informer.health().omitted().toString()).contains("default/bad");
  }

  @ParameterizedTest
  @EnumSource
  void source_thatThrows_isAskedAgain(Fault fault) throws Exception {
    AtomicInteger failures = new AtomicInteger();
    server.put("default/a");
    server.onRequest(request -> failures.incrementAndGet() <= 2 ? fault.fail() : request);
    SharedIndexInformer<ApiObject> informer = start(SharedIndexInformer.builder(server));

    assertThat(informer.awaitSynced(SOON)).isTrue();
    assertThat(informer.health().lastError()).isPresent();
    assertThat(handler.await(1)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void errorHandler_thatThrows_stopsNothing(Fault fault) throws Exception {
    AtomicInteger failures = new AtomicInteger();
    server.put("default/a");
    server.onRequest(
        request -> {
          if (failures.incrementAndGet() <= 2) {
            throw new IllegalStateException("the server fails");
          }
          return request;
        });
    SharedIndexInformer<ApiObject> informer =
        start(
            SharedIndexInformer.builder(server)
                .watchErrorHandler((reflector, error) -> fault.fail()));

    assertThat(informer.awaitSynced(SOON)).isTrue();
    assertThat(handler.await(1)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void metrics_thatThrow_stopNothing(Fault fault) throws Exception {
    AtomicInteger calls = new AtomicInteger();
    InformerMetrics metrics =
        new InformerMetrics() {
          @Override
          public void queueLength(int length) {
            calls.incrementAndGet();
            fault.fail();
          }

          @Override
          public void listed(Duration duration, int objects, boolean streamed) {
            calls.incrementAndGet();
            fault.fail();
          }

          @Override
          public void handlerBacklog(String handler, int notifications) {
            calls.incrementAndGet();
            fault.fail();
          }
        };
    SharedIndexInformer<ApiObject> informer =
        start(SharedIndexInformer.builder(server).metrics(metrics));
    assertThat(informer.awaitSynced(SOON)).isTrue();

    server.put("default/a");
    server.put("default/b");

    assertThat(handler.await(2)).hasSize(2);
    assertThat(calls).hasPositiveValue();
  }

  @ParameterizedTest
  @EnumSource
  void observer_thatThrows_stopsNothing(Fault fault) throws Exception {
    InformerObserver<ApiObject> observer =
        new InformerObserver<>() {
          @Override
          public void received(WatchEvent<ApiObject> event) {
            fault.fail();
          }

          @Override
          public void popped(List<Delta<ApiObject>> deltas) {
            fault.fail();
          }

          @Override
          public void stored(String key, @Nullable ApiObject before, @Nullable ApiObject after) {
            fault.fail();
          }

          @Override
          public void delivering(
              String handler, @Nullable ApiObject before, @Nullable ApiObject after) {
            fault.fail();
          }
        };
    SharedIndexInformer<ApiObject> informer =
        start(SharedIndexInformer.builder(server).observer(observer));
    assertThat(informer.awaitSynced(SOON)).isTrue();

    server.put("default/a");
    server.put("default/b");

    assertThat(handler.await(2)).containsExactly("add default/a@1", "add default/b@2");
  }
}
