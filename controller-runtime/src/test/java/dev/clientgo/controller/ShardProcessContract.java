package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.sharding.ShardField;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.ApiServer;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replicas in processes that are killed and stopped from outside. All write to their objects all
 * the time, and the versions of the server put these writes and those of the group's Lease, which
 * names the owners, into one order: no write may come from another process than the owner.
 */
@Timeout(300)
@EnabledOnOs(value = OS.LINUX, disabledReason = "the test sends signals with kill")
abstract class ShardProcessContract {

  private static final int OBJECTS = 16;
  private static final int SLOTS = 256;

  /** How long to wait for anything: more than the lease duration, on a machine that is busy. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path folder;

  abstract ApiServer server();

  /** A write of a process to an object. */
  private record Write(String uid, String by) {}

  /** The writes of the processes, by the versions of the server. */
  private final ConcurrentSkipListMap<Long, Write> writes = new ConcurrentSkipListMap<>();

  /** The owners that the Lease of the group names, by the versions of the server. */
  private final ConcurrentSkipListMap<Long, Map<Integer, String>> owners =
      new ConcurrentSkipListMap<>();

  /** The identities of the members, by the names of their Leases. */
  private final Map<String, String> identities = new ConcurrentHashMap<>();

  /** The last state of each object. */
  private final Map<String, ConfigMap> objects = new ConcurrentHashMap<>();

  // ---- what the server says

  private void changed(ConfigMap before, ConfigMap after) {
    String written = after.data().getOrDefault("writes", "");
    if (!written.equals(before.data().getOrDefault("writes", ""))) {
      writes.put(
          version(after.metadata().resourceVersion()),
          new Write(after.metadata().uid(), after.data().get("by")));
    }
    seen(after);
  }

  private void seen(ConfigMap map) {
    if (ShardProgram.isOurs(map)) {
      objects.put(map.metadata().name(), map);
    }
  }

  private void seen(Lease lease) {
    String name = lease.metadata().name();
    if (name.equals(ShardProgram.GROUP.name())) {
      owners.put(version(lease.metadata().resourceVersion()), ownersIn(lease));
    } else if (name.startsWith(ShardProgram.GROUP.name())) {
      identities.put(name, lease.spec().holderIdentity());
    }
  }

  private static long version(String resourceVersion) {
    return Long.parseLong(resourceVersion);
  }

  /** Returns the name of the Lease of each slot's owner. */
  private static Map<Integer, String> ownersIn(Lease group) {
    Map<Integer, String> owners = new HashMap<>();
    String text = group.metadata().annotations().get("shards.clientgo.dev/owners");
    for (String line : text.split("\n", -1)) {
      if (!line.isEmpty()) {
        String lease = line.substring(0, line.indexOf('@'));
        for (String part : line.substring(line.indexOf(':') + 1).strip().split(",", -1)) {
          String[] bounds = part.split("-", -1);
          int last = Integer.parseInt(bounds[bounds.length - 1]);
          for (int slot = Integer.parseInt(bounds[0]); slot <= last; slot++) {
            owners.put(slot, lease);
          }
        }
      }
    }
    return owners;
  }

  // ---- the processes

  private final class Replica implements AutoCloseable {
    private final String identity;
    private final Process process;

    Replica(String identity) throws IOException {
      this.identity = identity;
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  ShardProgram.class.getName(),
                  folder.resolve("kubeconfig").toString(),
                  identity)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(folder.resolve(identity + ".log").toFile())
              .start();
    }

    void signal(String signal) throws IOException, InterruptedException {
      Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
      assertThat(kill.waitFor()).isZero();
    }

    void awaitEnd() throws InterruptedException {
      assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }

    @Override
    public String toString() {
      return identity;
    }
  }

  // ---- the test

  private void await(String what, BooleanSupplier condition) throws InterruptedException {
    Clock clock = Clock.system();
    long start = clock.nanoTime();
    while (!condition.getAsBoolean()) {
      if (clock.nanoTime() - start > LIMIT.toNanos()) {
        throw new AssertionError("waited " + LIMIT + " for " + what + state());
      }
      clock.sleep(Duration.ofMillis(10));
    }
  }

  /** Returns what the server and the processes say, for the report of a failure. */
  private String state() {
    StringBuilder text = new StringBuilder("\nmembers: " + identities + "\nslots: ");
    Map<String, Integer> slots = new TreeMap<>();
    if (!owners.isEmpty()) {
      owners.lastEntry().getValue().values().forEach(lease -> slots.merge(lease, 1, Integer::sum));
    }
    text.append(slots);
    objects.forEach((name, map) -> text.append('\n').append(name).append(' ').append(map.data()));
    try (Stream<Path> logs = Files.list(folder)) {
      for (Path log : logs.filter(path -> path.toString().endsWith(".log")).toList()) {
        List<String> lines = Files.readAllLines(log);
        text.append('\n').append(log.getFileName()).append('\n');
        text.append(String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size())));
      }
    } catch (IOException e) {
      text.append('\n').append(e);
    }
    return text.toString();
  }

  /** Waits until all slots belong to these replicas, and each of them has some. */
  private void awaitOwners(Replica... replicas) throws InterruptedException {
    Set<String> expected = new HashSet<>();
    for (Replica replica : replicas) {
      expected.add(replica.identity);
    }
    await(
        "owners are " + expected,
        () -> {
          if (owners.isEmpty()) {
            return false;
          }
          Map<Integer, String> last = owners.lastEntry().getValue();
          Set<String> found = new HashSet<>();
          last.values().forEach(lease -> found.add(identities.getOrDefault(lease, lease)));
          return last.size() == SLOTS && found.equals(expected);
        });
  }

  /** Changes all objects, and waits until these replicas have reconciled them. */
  private void awaitReconciled(ResourceClient<ConfigMap> maps, String version, Replica... replicas)
      throws InterruptedException {
    for (int i = 0; i < OBJECTS; i++) {
      maps.edit("object-" + i, m -> m.with(c -> c.editData(d -> d.put("version", version))));
    }
    List<String> by = List.of(replicas).stream().map(Replica::toString).toList();
    await(
        "version " + version + " by " + by,
        () ->
            objects.size() == OBJECTS
                && objects.values().stream()
                    .allMatch(
                        map ->
                            version.equals(map.data().get("seen"))
                                && by.contains(map.data().get("by"))));
  }

  @Test
  void objects_haveOneOwner_whateverBecomesOfTheProcesses() throws Exception {
    server().writeKubeconfig(folder.resolve("kubeconfig"));
    try (RESTClient client = RESTClient.create(server().restConfig())) {
      ResourceClient<ConfigMap> maps = client.resource(ConfigMap.TYPE).inNamespace("default");
      ResourceClient<Lease> leases = client.resource(Lease.TYPE).inNamespace("default");
      for (int i = 0; i < OBJECTS; i++) {
        maps.create(
            ConfigMap.of(
                "default",
                "object-" + i,
                map -> map.editMetadata(m -> m.labels(Map.of(ShardProgram.LABEL, "true")))));
      }
      try (SharedIndexInformer<ConfigMap> mapInformer =
              SharedIndexInformer.builder(ListWatch.of(maps::list, maps::watch)).build();
          SharedIndexInformer<Lease> leaseInformer =
              SharedIndexInformer.builder(ListWatch.of(leases::list, leases::watch)).build()) {
        mapInformer.addEventHandler(handler -> handler.onAdd(this::seen).onUpdate(this::changed));
        leaseInformer.addEventHandler(
            handler -> handler.onAdd(this::seen).onUpdate((before, after) -> seen(after)));
        mapInformer.start();
        leaseInformer.start();
        assertThat(mapInformer.awaitSynced(LIMIT)).isTrue();
        assertThat(leaseInformer.awaitSynced(LIMIT)).isTrue();

        runReplicas(maps);

        assertThat(mapInformer.awaitResourceVersion(lastVersion(maps), LIMIT)).isTrue();
        assertThat(leaseInformer.awaitResourceVersion(lastVersion(leases), LIMIT)).isTrue();
      }
      checkWrites();
    }
  }

  private static <T extends KubernetesObject> String lastVersion(ResourceClient<T> resource)
      throws InterruptedException {
    return String.valueOf(
        resource.list().items().stream()
            .mapToLong(object -> version(object.metadata().resourceVersion()))
            .max()
            .orElseThrow());
  }

  private void runReplicas(ResourceClient<ConfigMap> maps) throws Exception {
    try (Replica a = new Replica("a");
        Replica b = new Replica("b");
        Replica c = new Replica("c")) {
      awaitOwners(a, b, c);
      awaitReconciled(maps, "1", a, b, c);

      a.signal("KILL");
      awaitReconciled(maps, "2", b, c);
      awaitOwners(b, c);

      b.signal("STOP");
      awaitReconciled(maps, "3", c);
      awaitOwners(c);
      b.signal("CONT"); // It believes that it still owns its slots.
      awaitOwners(b, c);
      awaitReconciled(maps, "4", b, c);

      try (Replica d = new Replica("d")) {
        awaitOwners(b, c, d);
        b.signal("STOP"); // For less than the lease duration: nothing changes.
        b.signal("CONT");
        awaitReconciled(maps, "5", b, c, d);
        c.signal("TERM");
        awaitOwners(b, d);
        awaitReconciled(maps, "6", b, d);
        c.awaitEnd();
        for (Replica last : List.of(b, d)) {
          last.signal("TERM");
          last.awaitEnd();
        }
      }
    }
  }

  private void checkWrites() {
    List<String> wrong = new ArrayList<>();
    Map<String, Set<String>> writers = new HashMap<>();
    writes.forEach(
        (version, write) -> {
          int slot = (int) (ShardField.hash(write.uid) >>> 56);
          Map<Integer, String> record = owners.lowerEntry(version).getValue();
          String owner = identities.get(record.getOrDefault(slot, ""));
          if (!write.by.equals(owner)) {
            wrong.add(version + ": " + write + ", but slot " + slot + " belongs to " + owner);
          }
          writers.computeIfAbsent(write.uid, any -> new HashSet<>()).add(write.by);
        });
    assertThat(wrong).isEmpty();
    assertThat(writers).hasSize(OBJECTS);
    assertThat(writers.values()).allSatisfy(by -> assertThat(by).hasSizeGreaterThan(1));
  }
}
