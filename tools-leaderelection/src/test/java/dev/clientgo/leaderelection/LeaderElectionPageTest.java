package dev.clientgo.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples of {@code docs/leader-election.md}, which are compiled here. */
final class LeaderElectionPageTest {

  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  static void lead(RESTClient client) throws InterruptedException {
    LeaseLock lock = LeaseLock.of("shop", "my-controller");
    try (LeaderElector elector =
        LeaderElector.builder(client, lock, LeaderElector.uniqueIdentity())
            .releaseOnCancel(true)
            .onStartedLeading(term -> runControllers(term))
            .onStoppedLeading(() -> System.out.println("no longer the leader"))
            .build()) {
      elector.run(); // Until this process has lost the lease, or the thread is interrupted.
    }
  }

  static void runControllers(LeadershipTerm term) throws InterruptedException {
    ResourceClient<ConfigMap> maps = term.client().resource(ConfigMap.TYPE).inNamespace("shop");
    maps.edit("prices", map -> map.with(m -> m.editData(data -> data.put("apple", "3"))));
    term.check(); // Before something that is not a request.
    sendInvoices();
  }

  private static void sendInvoices() {}

  static void standBy(RESTClient client, LeaseLock lock, ResourceClient<ConfigMap> maps)
      throws InterruptedException {
    try (SharedIndexInformer<ConfigMap> informer =
            SharedIndexInformer.builder(ListWatch.of(maps::list, maps::watch)).build();
        LeaderElector elector =
            LeaderElector.builder(client, lock, LeaderElector.uniqueIdentity())
                .onStartedLeading(term -> work(informer, term))
                .onStoppedLeading(() -> {})
                .build()) {
      informer.start();
      elector.run();
    }
  }

  private static void work(SharedIndexInformer<ConfigMap> informer, LeadershipTerm term)
      throws InterruptedException {
    term.client().resource(ConfigMap.TYPE).update(informer.lister(ConfigMap.TYPE).list().get(0));
  }

  static LeaderElector observed(
      RESTClient client,
      LeaseLock lock,
      String identity,
      LeaderElectionMetrics metrics,
      BiConsumer<Lease, String> recorder,
      Map<String, Supplier<Optional<String>>> health) {
    LeaderElector elector =
        LeaderElector.builder(client, lock.withLabels(Map.of("team", "shop")), identity)
            .metrics(metrics) // leader_election_master_status, leader_election_slowpath_total
            .events((lease, message) -> recorder.accept(lease, message)) // web-0 became leader
            .onNewLeader(leader -> System.out.println(leader + " leads"))
            .onStartedLeading(term -> runControllers(term))
            .onStoppedLeading(() -> {})
            .build();
    health.put("leaderElection", () -> elector.check(Duration.ofSeconds(20)));
    return elector;
  }

  @Test
  void examples_areThoseOfThisClass() throws IOException {
    String here =
        squeezed(
            Files.readString(
                Path.of("src/test/java/dev/clientgo/leaderelection/LeaderElectionPageTest.java")));
    Matcher examples = EXAMPLE.matcher(Files.readString(Path.of("../docs/leader-election.md")));
    int count = 0;
    while (examples.find()) {
      assertThat(here).contains(squeezed(examples.group(1)));
      count++;
    }

    assertThat(count).isEqualTo(4);
  }

  private static String squeezed(String code) {
    return code.replaceAll("\\s+", "");
  }
}
