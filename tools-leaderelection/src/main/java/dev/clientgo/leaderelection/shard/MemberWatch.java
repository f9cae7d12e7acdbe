package dev.clientgo.leaderelection.shard;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.cache.DeletedObject;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.ReflectorOptions;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.cache.ResourceEventHandlerRegistration;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.clock.Clock;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Watches the Leases of a group. */
final class MemberWatch implements AutoCloseable {

  private final SharedIndexInformer<Lease> informer;
  private final ResourceEventHandlerRegistration registration;

  /** The last error before the last answer. No times are compared: the wall clock may be set. */
  private volatile @Nullable RuntimeException past;

  /**
   * Creates a watch that is not started.
   *
   * @param seen receives each state of each Lease
   * @param gone receives the name of each Lease that is no longer there
   */
  MemberWatch(
      RESTClient client,
      ShardSettings settings,
      Clock clock,
      RandomGenerator random,
      ThreadFactory threads,
      Consumer<Lease> seen,
      Consumer<String> gone) {
    ResourceClient<Lease> leases =
        client.resource(Lease.TYPE).inNamespace(settings.group().namespace());
    Selector selector = Selector.parse(ShardSettings.GROUP + '=' + settings.group().name());
    Duration retry = settings.timings().retryPeriod();
    informer =
        SharedIndexInformer.builder(
                ListWatch.of(
                        (options, context, sink) -> answered(leases.list(options, context, sink)),
                        (options, context) -> answered(leases.watch(options, context)))
                    .filtered(options -> options.toBuilder().labelSelector(selector).build()))
            .type(Lease.TYPE)
            .options(
                ReflectorOptions.builder()
                    .name("shard group " + settings.group())
                    .backoff(Backoff.builder(retry).jitter(0.5).cap(retry).build())
                    .clock(clock)
                    .random(random)
                    .threadFactory(threads)
                    .build())
            .build();
    registration =
        informer.addEventHandler(
            new ResourceEventHandler<>() {
              @Override
              public void onAdd(Lease lease, boolean isInInitialList) {
                seen.accept(answered(lease));
              }

              @Override
              public void onUpdate(Lease before, Lease after) {
                seen.accept(answered(after));
              }

              @Override
              public void onDelete(DeletedObject<Lease> deleted) {
                gone.accept(answered(deleted).objectName().name());
              }
            });
  }

  void start() {
    informer.start();
  }

  /** Waits until the first list was delivered. */
  boolean awaitSynced(Duration timeout) throws InterruptedException {
    return registration.hasSyncedChecker().await(timeout);
  }

  /** Notes that the server has answered since the last error. */
  private <T> T answered(T answer) {
    past = informer.health().lastError().orElse(null);
    return answer;
  }

  /** Returns the last error, if nothing has come since. */
  Optional<RuntimeException> error() {
    return informer.health().lastError().filter(error -> error != past);
  }

  @Override
  public void close() {
    informer.close();
  }
}
