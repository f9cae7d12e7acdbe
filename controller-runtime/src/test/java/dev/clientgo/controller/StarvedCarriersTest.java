package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.rest.RESTClient;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Reconciles that occupy all carriers of virtual threads. */
@Timeout(300)
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with Java 21")
final class StarvedCarriersTest {

  private static final Duration LEASE = Duration.ofSeconds(12);

  /**
   * The reconciles spin for longer than the lease duration. No other virtual thread runs meanwhile,
   * so the lease is kept only if no such thread has a part in its renewal. The server has threads
   * of the operating system, as if it were another process.
   */
  @Test
  void spinningReconciles_doNotCostTheLease() throws Exception {
    int carriers = Runtime.getRuntime().availableProcessors();
    CountDownLatch spinning = new CountDownLatch(carriers);
    AtomicBoolean stop = new AtomicBoolean();
    AtomicBoolean interrupted = new AtomicBoolean();
    Reconciler reconciler =
        (request, context) -> {
          spinning.countDown();
          while (!stop.get()) {
            interrupted.compareAndSet(false, Thread.currentThread().isInterrupted());
            Thread.onSpinWait();
          }
          return Result.done();
        };
    try (EmbeddedApiServer server =
            EmbeddedApiServer.builder().threadFactory(DaemonThreads.platform("server-")).start();
        RESTClient client = RESTClient.create(server.restConfig());
        Manager manager =
            Manager.builder(client)
                .threadFactory(DaemonThreads.named("virtual-"))
                .leaderElection(
                    LeaseLock.of("default", "operator"),
                    options ->
                        options
                            .leaseDuration(LEASE)
                            .renewDeadline(Duration.ofSeconds(10))
                            .retryPeriod(Duration.ofMillis(100)))
                .build()) {
      for (int i = 0; i < carriers; i++) {
        client
            .resource(ConfigMap.TYPE)
            .create(ConfigMap.of("default", "map-" + i, m -> m.data(Map.of())));
      }
      manager.add(
          Controller.builder(reconciler)
              .forKind(ConfigMap.TYPE)
              .workers(carriers)
              .reconcileTimeout(Duration.ofSeconds(2))
              .build());
      manager.start();
      try {
        assertThat(spinning.await(60, TimeUnit.SECONDS)).isTrue();
        int before = renewals(server);

        Clock.system().sleep(LEASE.plusSeconds(4));

        assertThat(manager.isLeader()).as("leads").isTrue();
        assertThat(renewals(server)).isGreaterThan(before + 3);
        assertThat(interrupted).as("the watchdog has interrupted a reconcile").isTrue();
      } finally {
        stop.set(true);
      }
    }
  }

  private static int renewals(EmbeddedApiServer server) {
    return server.requests(request -> request.matches("update", "leases")).size();
  }
}
