package dev.clientgo.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.leaderelection.internal.LeaseTimings;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which settings are accepted. The first cases are those of upstream's NewLeaderElector. */
final class LeaderElectorSettingsTest {

  private static final RESTClient CLIENT =
      RESTClient.create(RestConfig.builder("http://127.0.0.1:1").build());

  @AfterAll
  static void close() {
    CLIENT.close();
  }

  private static LeaderElector.Builder builder() {
    return LeaderElector.builder(CLIENT, LeaseLock.of("shop", "cart"), "a")
        .onStartedLeading(term -> {})
        .onStoppedLeading(() -> {});
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  static Stream<Arguments> rejected() {
    return Stream.of(
        argumentSet("lease equals deadline", 10_000, 10_000, 2_000, "leaseDuration"),
        argumentSet("lease below deadline", 9_000, 10_000, 2_000, "leaseDuration"),
        argumentSet("deadline is 1.2 retry periods", 15_000, 2_400, 2_000, "renewDeadline"),
        argumentSet("lease is zero", 0, 10_000, 2_000, "leaseDuration must be greater than zero"),
        argumentSet("lease is negative", -1, 10_000, 2_000, "leaseDuration"),
        argumentSet("deadline is zero", 15_000, 0, 2_000, "renewDeadline"),
        argumentSet("retry is zero", 15_000, 10_000, 0, "retryPeriod must be greater than zero"),
        argumentSet("less than a second", 999, 800, 100, "whole seconds"),
        argumentSet("the fraction is cut off", 1_900, 1_500, 1_000, "whole seconds"));
  }

  @ParameterizedTest
  @MethodSource
  void rejected(long lease, long deadline, long retry, String message) {
    LeaderElector.Builder builder =
        builder()
            .leaseDuration(millis(lease))
            .renewDeadline(millis(deadline))
            .retryPeriod(millis(retry));

    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void defaults_areThoseOfCoreComponents() {
    assertThat(LeaseTimings.LEASE_DURATION).hasSeconds(15);
    assertThat(LeaseTimings.RENEW_DEADLINE).hasSeconds(10);
    assertThat(LeaseTimings.RETRY_PERIOD).hasSeconds(2);
  }

  @Test
  void build_withTheDefaults_doesNotLead() {
    List<Boolean> metrics = new ArrayList<>();
    try (LeaderElector elector =
        builder()
            .metrics(
                new LeaderElectionMetrics() {
                  @Override
                  public void leading(String name, boolean leads) {
                    assertThat(name).isEqualTo("cart");
                    metrics.add(leads);
                  }
                })
            .build()) {
      assertThat(elector.isLeader()).isFalse();
      assertThat(elector.term()).isEmpty();
      assertThat(elector.leader()).isEmpty();
      assertThat(elector.check(Duration.ZERO)).isEmpty();
      assertThat(metrics).containsExactly(false);
    }
  }

  @Test
  void build_withoutACallback_isAnError() {
    LeaderElector.Builder builder =
        LeaderElector.builder(CLIENT, LeaseLock.of("shop", "cart"), "a");

    assertThatThrownBy(builder::build).hasMessageContaining("onStartedLeading is not set");
    builder.onStartedLeading(term -> {});
    assertThatThrownBy(builder::build).hasMessageContaining("onStoppedLeading is not set");
  }

  @Test
  void build_withoutAnIdentity_isAnError() {
    LeaderElector.Builder builder =
        LeaderElector.builder(CLIENT, LeaseLock.of("shop", "cart"), "")
            .onStartedLeading(term -> {})
            .onStoppedLeading(() -> {});

    assertThatThrownBy(builder::build).hasMessageContaining("identity is empty");
  }

  @Test
  void lock_withoutAName_isAnError() {
    assertThatThrownBy(() -> LeaseLock.of("shop", ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a Lease needs a namespace and a name");
  }

  @Test
  void uniqueIdentity_isUnique() {
    assertThat(LeaderElector.uniqueIdentity()).isNotEqualTo(LeaderElector.uniqueIdentity());
  }

  @ParameterizedTest
  @MethodSource
  void requestTimeout(long deadline, long timeout) {
    ElectionSettings settings =
        new ElectionSettings(
            LeaseLock.of("shop", "cart"),
            "a",
            new LeaseTimings(Duration.ofSeconds(60), millis(deadline), millis(100)),
            false);

    assertThat(settings.timings().requestTimeout()).isEqualTo(millis(timeout));
  }

  static Stream<Arguments> requestTimeout() {
    return Stream.of(
        argumentSet("half of the deadline", 10_000, 5_000),
        argumentSet("at least a second", 1_500, 1_000));
  }
}
