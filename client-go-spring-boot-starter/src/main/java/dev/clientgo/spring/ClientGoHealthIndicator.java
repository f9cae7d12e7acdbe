package dev.clientgo.spring;

import dev.clientgo.cache.InformerHealth;
import dev.clientgo.controller.Manager;
import dev.clientgo.kubernetes.InformerFactory;
import java.time.Duration;
import java.util.Map;
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
            health
                .problem(maxStaleness)
                .ifPresent(problem -> problems.put("informer " + name, problem)));
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
}
