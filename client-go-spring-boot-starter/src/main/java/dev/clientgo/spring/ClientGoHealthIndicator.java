package dev.clientgo.spring;

import dev.clientgo.cache.InformerHealth;
import dev.clientgo.cache.InformerHealth.ReflectorState;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.controller.Manager;
import dev.clientgo.kubernetes.InformerFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Down if a restart may help; out of service while a cache is empty or old, or a controller or a
 * handler does not work. The details have the reasons.
 */
final class ClientGoHealthIndicator implements HealthIndicator {

  private final Manager manager;
  private final InformerFactory informers;
  private final Duration maxStaleness;

  ClientGoHealthIndicator(Manager manager, InformerFactory informers, Duration maxStaleness) {
    this.manager = manager;
    this.informers = informers;
    this.maxStaleness = maxStaleness;
  }

  @Override
  public Health health() {
    Map<String, String> unhealthy = manager.healthProblems();
    Map<String, String> problems = new TreeMap<>(manager.readyProblems());
    problems.putAll(unhealthy);
    Map<String, InformerHealth> caches = informers.shared().health();
    caches.forEach(
        (name, health) ->
            problemOf(health).ifPresent(problem -> problems.put("informer " + name, problem)));
    Health.Builder result;
    if (!unhealthy.isEmpty()) {
      result = Health.down();
    } else {
      result = problems.isEmpty() ? Health.up() : Health.outOfService();
    }
    return result
        .withDetail("controllers", manager.controllers().size())
        .withDetail("informers", caches.size())
        .withDetails(problems)
        .build();
  }

  private Optional<String> problemOf(InformerHealth health) {
    String problem;
    if (health.state() == ReflectorState.STOPPED || health.state() == ReflectorState.NEW) {
      problem = "is not running: " + health.state();
    } else if (!health.hasSynced()) {
      problem = "has no first list yet: " + health.state();
    } else if (health.omitted().isAll()) {
      return Optional.of("is empty: " + health.omitted());
    } else {
      Duration age =
          health
              .lastConfirmed()
              .map(then -> Duration.between(then, Clock.system().now()).abs())
              .orElse(Duration.ZERO);
      if (age.compareTo(maxStaleness) <= 0) {
        return health.handlers().stream().flatMap(each -> each.problem().stream()).findFirst();
      }
      problem = "was last confirmed by the server " + age + " ago";
    }
    return Optional.of(
        problem + health.lastError().map(e -> "; last error: " + CrashLog.text(e)).orElse(""));
  }
}
