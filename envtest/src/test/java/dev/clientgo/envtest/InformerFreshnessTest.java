package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.ReflectorOptions;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.traffic.CuttingProxy;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long an informer is behind if its connections are cut, through a proxy and over TLS. */
final class InformerFreshnessTest {

  private static final int CUTS = 25;
  private static final Duration FAR_BEHIND = Duration.ofSeconds(3);
  private static final ResourceType<Unstructured> CONFIG_MAPS =
      Unstructured.type(new GroupVersionKind("", "v1", "ConfigMap"), "configmaps", true);

  /** The clock of the machine, except that its sleeps return at once. */
  private static final class SkippingClock implements Clock {

    private final AtomicLong skipped = new AtomicLong();

    /** Returns how long was slept in all, which does not depend on how fast the machine is. */
    Duration slept() {
      return Duration.ofNanos(skipped.get());
    }

    @Override
    public Instant now() {
      return Clock.system().now().plusNanos(skipped.get());
    }

    @Override
    public long nanoTime() {
      return Clock.system().nanoTime() + skipped.get();
    }

    @Override
    public boolean await(Lock lock, Condition condition, Duration timeout)
        throws InterruptedException {
      return Clock.system().await(lock, condition, timeout);
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      skipped.addAndGet(duration.toNanos());
    }
  }

  /** As soon as a write is seen all connections are cut, and the next write is made. */
  @Test
  @Timeout(300)
  void cutAfterEachEvent_isNeverFarBehind() throws Exception {
    SkippingClock clock = new SkippingClock();
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().tls(true).start();
        CuttingProxy proxy = CuttingProxy.to(server.url());
        RESTClient writes = RESTClient.create(server.restConfig());
        RESTClient reads =
            RESTClient.create(
                server.restConfig().toBuilder()
                    .server("https://127.0.0.1:" + proxy.port())
                    .build())) {
      ResourceClient<Unstructured> objects = writes.resource(CONFIG_MAPS).inNamespace("default");
      Unstructured object = objects.create(configMap());
      ResourceClient<Unstructured> watched = reads.resource(CONFIG_MAPS);
      try (SharedIndexInformer<Unstructured> informer =
          SharedIndexInformer.builder(ListWatch.of(watched::list, watched::watch))
              .options(ReflectorOptions.builder().clock(clock).build())
              .watchErrorHandler((reflector, error) -> {})
              .build()) {
        informer.start();
        Waiting.until("the informer has synced", informer::hasSynced);

        List<Duration> behind = new ArrayList<>();
        for (int i = 0; i < CUTS; i++) {
          Duration before = clock.slept();
          object = objects.update(object.with("v" + i, "data", "text"));
          Unstructured written = object;
          Waiting.until(
              "the informer sees write " + i,
              () -> informer.indexer().getByKey("default/it").filter(written::equals).isPresent());
          behind.add(clock.slept().minus(before));
          proxy.cut();
        }

        assertThat(behind).allSatisfy(time -> assertThat(time).isLessThanOrEqualTo(FAR_BEHIND));
      }
    }
  }

  private static Unstructured configMap() {
    return Unstructured.of(
        Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("name", "it")));
  }
}
