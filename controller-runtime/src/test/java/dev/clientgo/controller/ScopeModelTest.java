package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.controller.scope.Scope;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.traffic.OpenWatch;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.testing.Eventually;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random histories of objects that move into the selections of a scope and out of them, by own
 * writes and those of others, while watches end, break and are late. Compared with all objects of
 * the server, filtered by a predicate.
 *
 * <p>Some objects only move, and never leave the scope: each read must find them, and no event may
 * call them deleted. {@code -Dclientgo.seed=…} repeats the choices of a history, {@code
 * -Dclientgo.histories=100} runs more of them.
 */
@Timeout(300)
final class ScopeModelTest {

  private static final int RUNS = Integer.getInteger("clientgo.histories", 8);
  private static final int STEPS = 150;
  private static final long SEED = Long.getLong("clientgo.seed", Clock.system().nanoTime());
  private static final List<String> NAMESPACES = List.of("n1", "n2");
  private static final List<String> STAYING = List.of("stay-0", "stay-1");
  private static final List<String> NAMES = List.of("k0", "k1", "k2", "k3");

  /** Another selection in each namespace; an object that stays has both labels. */
  private static final Scope SCOPE =
      Scope.all()
          .inNamespaces("n1")
          .withLabels("l in (a,both)")
          .or(
              Scope.all()
                  .inNamespaces("n2")
                  .withLabels("l in (b,both)")
                  .withFields("metadata.name!=k0"));

  private static boolean isSelected(ConfigMap map) {
    String label = map.metadata().labels().getOrDefault("l", "");
    return "n1".equals(map.metadata().namespace())
        ? List.of("a", "both").contains(label)
        : List.of("b", "both").contains(label) && !"k0".equals(map.metadata().name());
  }

  private static long versionOf(ConfigMap map) {
    return Long.parseLong(Objects.requireNonNull(map.metadata().resourceVersion()));
  }

  @Test
  void anyHistory_looksLikeOneFilteredInformer() throws Exception {
    for (int run = 0; run < RUNS; run++) {
      long seed = SEED + run;
      try (EmbeddedApiServer server = EmbeddedApiServer.start();
          RESTClient client = RESTClient.create(server.restConfig())) {
        for (String namespace : NAMESPACES) {
          client.resource(Namespace.TYPE).create(Namespace.of(namespace, n -> {}));
        }
        new History(seed, server, client).run();
      } catch (Throwable e) {
        throw new AssertionError("-Dclientgo.seed=" + seed, e);
      }
    }
  }

  private static final class History implements Predicate<ConfigMap> {

    private final Random random;
    private final EmbeddedApiServer server;
    private final RESTClient client;
    private final Manager manager;

    /** The objects by the events of the controller. */
    private final Map<ObjectName, Long> told = new ConcurrentHashMap<>();

    /**
     * The objects that the manager has written: handlers get a deletion even without an addition.
     */
    private final Set<String> ownUids = ConcurrentHashMap.newKeySet();

    private final Queue<String> mistakes = new ConcurrentLinkedQueue<>();

    History(long seed, EmbeddedApiServer server, RESTClient client) {
      this.random = new Random(seed);
      this.server = server;
      this.client = client;
      manager =
          Manager.builder(client)
              .reportFieldFights(false)
              .inNamespaces("n1", "n2")
              .scope(ConfigMap.TYPE, SCOPE)
              .build();
      manager.add(
          Controller.builder((request, context) -> Result.done())
              .forKind(ConfigMap.TYPE, this)
              .build());
    }

    @Override
    public boolean onAdd(ConfigMap map) {
      if (told.put(ObjectName.of(map), versionOf(map)) != null) {
        mistakes.add("added twice: " + ObjectName.of(map));
      }
      return true;
    }

    @Override
    public boolean onUpdate(ConfigMap before, ConfigMap after) {
      Long old = told.put(ObjectName.of(after), versionOf(after));
      // A list that repeats an unchanged object is an update, as of one informer.
      if (old == null || old != versionOf(before) || old > versionOf(after)) {
        mistakes.add(
            "updated from another state: %s was %s, from %s to %s"
                .formatted(ObjectName.of(after), old, versionOf(before), versionOf(after)));
      }
      return true;
    }

    @Override
    public boolean onDelete(ConfigMap last) {
      boolean isTold = told.remove(ObjectName.of(last)) != null;
      boolean mayBeUntold = ownUids.contains(last.metadata().uid());
      if (!(isTold || mayBeUntold) || STAYING.contains(last.metadata().name())) {
        mistakes.add("not to be deleted: " + ObjectName.of(last));
      }
      return true;
    }

    void run() throws Exception {
      for (String namespace : NAMESPACES) {
        for (String name : STAYING) {
          client.resource(ConfigMap.TYPE).create(map(namespace, name, "both"));
        }
      }
      manager.start();
      assertThat(manager.awaitReady(ManagerContract.LIMIT)).isTrue();
      AtomicBoolean ends = new AtomicBoolean();
      Thread reader = new Thread(() -> read(ends), "reader");
      reader.start();
      try {
        for (int step = 0; step < STEPS; step++) {
          step();
        }
        server.watches().forEach(OpenWatch::resume);
        try {
          Eventually.await("the same objects", () -> expected().equals(read()) && isTold());
        } catch (AssertionError e) {
          throw new AssertionError(
              "server=%s%nread=%s%ntold=%s%n%s"
                  .formatted(expected(), read(), told, manager.informerHealth()),
              e);
        }
      } finally {
        ends.set(true);
        reader.join();
        manager.close();
      }
      assertThat(mistakes).isEmpty();
    }

    private static ConfigMap map(String namespace, String name, String label) {
      return ConfigMap.of(namespace, name, c -> c.editMetadata(m -> m.labels(Map.of("l", label))));
    }

    private <E> E any(List<E> list) {
      return list.get(random.nextInt(list.size()));
    }

    private void step() throws InterruptedException {
      List<OpenWatch> watches = new ArrayList<>(server.watches());
      switch (random.nextInt(10)) {
        case 0 -> any(watches, OpenWatch::end);
        case 1 -> any(watches, OpenWatch::cut);
        case 2 -> any(watches, OpenWatch::goSilent);
        case 3 -> watches.forEach(OpenWatch::resume);
        default -> write();
      }
    }

    private void any(List<OpenWatch> watches, java.util.function.Consumer<OpenWatch> fault) {
      if (!watches.isEmpty()) {
        fault.accept(any(watches));
      }
    }

    private void write() throws InterruptedException {
      String namespace = any(NAMESPACES);
      boolean stays = random.nextBoolean();
      String name = any(stays ? STAYING : NAMES);
      String label =
          any(
              stays
                  ? List.of("n1".equals(namespace) ? "a" : "b", "both")
                  : List.of("a", "b", "both", "c"));
      boolean deletes = !stays && random.nextInt(3) == 0;
      ConfigMap before =
          client.resource(ConfigMap.TYPE).inNamespace(namespace).find(name).orElse(null);
      ConfigMap next = map(namespace, name, label);
      if (before != null) {
        next = before.with(c -> c.editMetadata(m -> m.labels(Map.of("l", label))));
      }
      if (random.nextBoolean()) {
        CachedResource<ConfigMap> own =
            manager.client().resource(ConfigMap.TYPE).inNamespace(namespace);
        if (before == null) {
          check(own, own.create(next));
        } else if (deletes) {
          own.delete(before);
          assertThat(own.find(name)).as("the deleted %s", name).isEmpty();
          assertThat(own.list()).noneMatch(each -> name.equals(each.metadata().name()));
        } else {
          check(own, own.update(next));
        }
      } else if (before == null) {
        client.resource(ConfigMap.TYPE).create(next);
      } else if (deletes) {
        client.resource(ConfigMap.TYPE).inNamespace(namespace).delete(name);
      } else {
        client.resource(ConfigMap.TYPE).update(next);
      }
    }

    /** An own write is visible at once, if the scope has it. */
    private void check(CachedResource<ConfigMap> own, ConfigMap written)
        throws InterruptedException {
      ownUids.add(Objects.requireNonNull(written.metadata().uid()));
      Optional<ConfigMap> found = own.find(written.metadata().name());
      assertThat(found.map(ScopeModelTest::versionOf))
          .isEqualTo(isSelected(written) ? Optional.of(versionOf(written)) : Optional.empty());
      assertThat(own.list())
          .filteredOn(each -> Objects.equals(each.metadata().name(), written.metadata().name()))
          .hasSize(found.isPresent() ? 1 : 0);
    }

    /** Reads the objects that stay, without an end, and each must be there in no older state. */
    private void read(AtomicBoolean ends) {
      CachedResource<ConfigMap> maps = manager.client().resource(ConfigMap.TYPE);
      Map<ObjectName, Long> versions = new HashMap<>();
      try {
        while (!ends.get()) {
          for (String namespace : NAMESPACES) {
            for (String name : STAYING) {
              ObjectName key = new ObjectName(namespace, name);
              Optional<ConfigMap> found = maps.inNamespace(namespace).find(name);
              long last = versions.getOrDefault(key, 0L);
              if (found.isEmpty() || versionOf(found.get()) < last) {
                mistakes.add(
                    "missing or older: "
                        + key
                        + " "
                        + found.map(ScopeModelTest::versionOf)
                        + " "
                        + last);
              } else {
                versions.put(key, versionOf(found.get()));
              }
            }
          }
          ResourceView<ConfigMap> view = maps.view();
          long staying =
              view.list().stream().filter(m -> STAYING.contains(m.metadata().name())).count();
          if (staying != (long) NAMESPACES.size() * STAYING.size()) {
            mistakes.add("staying: " + staying);
          }
        }
      } catch (Throwable e) {
        mistakes.add(String.valueOf(e));
      }
    }

    private Map<ObjectName, Long> expected() {
      try {
        return versions(
            client.resource(ConfigMap.TYPE).list().items().stream()
                .filter(each -> NAMESPACES.contains(each.metadata().namespace()))
                .filter(ScopeModelTest::isSelected)
                .toList());
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    private Map<ObjectName, Long> read() {
      try {
        return versions(manager.client().resource(ConfigMap.TYPE).list());
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    private boolean isTold() {
      return expected().equals(new HashMap<>(told));
    }

    private static Map<ObjectName, Long> versions(List<ConfigMap> maps) {
      Map<ObjectName, Long> versions = new HashMap<>();
      maps.forEach(each -> versions.put(ObjectName.of(each), versionOf(each)));
      return versions;
    }
  }
}
