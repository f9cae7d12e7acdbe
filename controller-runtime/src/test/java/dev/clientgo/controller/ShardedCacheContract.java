package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.cache.InformerHealth.Shard.FilteredBy;
import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.testing.Eventually;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replicas that share the objects, each with a cache of its own objects only. */
@Timeout(300)
abstract class ShardedCacheContract extends ShardsFixture {

  /** Returns whether the server has the feature gate ShardedListAndWatch on. */
  abstract boolean serverHasShards();

  private Replica replica(String name) {
    return new Replica(name, true, group -> {});
  }

  private static Set<String> names(List<ConfigMap> maps) {
    return maps.stream()
        .map(map -> String.valueOf(map.metadata().name()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Waits until each replica has its objects in its cache and no others, and together all. */
  private void awaitCaches(Replica... members) throws InterruptedException {
    Eventually.await(
        "caches of " + List.of(members),
        () -> {
          int count = 0;
          for (Replica member : members) {
            List<ConfigMap> cached = member.cached();
            count += cached.size();
            if (!cached.stream().allMatch(map -> member.group().owns(map.metadata().uid()))) {
              return false;
            }
          }
          return count == OBJECTS;
        });
    Set<String> all = new TreeSet<>();
    Arrays.stream(members).forEach(member -> all.addAll(names(member.cached())));
    assertThat(all).hasSize(OBJECTS);
  }

  private void createAgain(int number, String version) throws InterruptedException {
    maps().delete(object(number));
    maps().create(ConfigMap.of("default", object(number), c -> c.data(Map.of("version", version))));
  }

  @Test
  void caches_followTheSlots_whateverBecomesOfTheReplicas() throws Exception {
    create();
    Replica a = replica("a").start();
    Replica b = replica("b").start();
    Replica c = replica("c").start();
    awaitMembers(a, b, c);
    touch("2");
    awaitReconciled("2");
    awaitCaches(a, b, c);
    assertThat(List.of(a, b, c)).allSatisfy(r -> assertThat(r.cached()).isNotEmpty());

    // A clean end, while objects change.
    b.manager.close();
    touch("3");
    awaitMembers(a, c);
    awaitReconciled("3");
    awaitCaches(a, c);

    // One that joins reconciles all that it takes, without any change, and what comes meanwhile.
    Replica d = replica("d").start();
    createAgain(5, "another");
    awaitMembers(a, c, d);
    awaitCaches(a, c, d);
    Eventually.await(
        "all objects of " + d, () -> d.reconciled.keySet().containsAll(names(d.cached())));
    // Not by the owner of a moment: a slot whose object is reconciled moves when that ends.
    awaitReconciled(object(5), "another");

    // One that is cut off, and comes back.
    a.isCutOff = true;
    touch("4");
    awaitMembers(c, d);
    awaitReconciled("4");
    awaitCaches(c, d);
    a.isCutOff = false;
    awaitMembers(a, c, d);
    touch("5");
    awaitReconciled("5");
    awaitCaches(a, c, d);

    maps().delete(object(0));
    Eventually.await(
        "the deletion", () -> replicas.stream().anyMatch(r -> r.deleted.contains(object(0))));
    assertThat(overlaps).isEmpty();
    // No replica has ever taken the loss of a slot for a deletion.
    assertThat(replicas).allSatisfy(r -> assertThat(r.deleted).isSubsetOf(object(0), object(5)));
  }

  @Test
  void objectOfAnotherReplica_isFoundByItsName_butInNoList() throws Exception {
    create();
    Replica a = replica("a").start();
    Replica b = replica("b").start();
    awaitMembers(a, b);
    touch("2");
    awaitReconciled("2");
    awaitCaches(a, b);

    CachedResource<ConfigMap> maps = a.client.resource(ConfigMap.TYPE).inNamespace("default");
    for (ConfigMap other : b.cached()) {
      String name = String.valueOf(other.metadata().name());
      assertThat(maps.find(name)).map(map -> map.metadata().uid()).contains(other.metadata().uid());
      assertThat(maps.find(new Request("default", name))).isPresent();
      assertThat(maps.get(name).data()).containsEntry("version", "2");
      assertThat(maps.view().find(name)).isEmpty();
    }
    assertThat(maps.find(prefix + "-nobody")).isEmpty();
    assertThat(names(maps.list())).doesNotContainAnyElementsOf(names(b.cached()));
    Eventually.await(
        "who drops the objects of others",
        () ->
            a.manager
                    .informerHealth()
                    .get("configmaps of a shard")
                    .shard()
                    .orElseThrow()
                    .filteredBy()
                == (serverHasShards() ? FilteredBy.SERVER : FilteredBy.CLIENT));
  }

  @Test
  void objectThatIsCreatedAgain_belongsToOneReplica() throws Exception {
    create();
    Replica a = replica("a").start();
    Replica b = replica("b").start();
    awaitMembers(a, b);
    awaitReconciled("1");

    for (int i = 10; i < 40; i++) {
      String version = "v" + i;
      createAgain(0, version);
      if (i % 3 == 0) {
        awaitReconciled(object(0), version);
      }
    }

    awaitCaches(a, b);
    // A reconcile that has begun may see the next object of the name, which the other replica owns.
    assertThat(overlapsOfOwners).isEmpty();
    assertThat(replicas).allSatisfy(r -> assertThat(r.deleted).isSubsetOf(object(0)));
  }

  @Test
  void otherReaders_seeAllObjects() throws Exception {
    create();
    Set<String> seen = ConcurrentHashMap.newKeySet();
    Replica a = replica("a");
    a.manager.add(
        Controller.builder(
                (request, context) -> {
                  seen.addAll(names(context.client().resource(ConfigMap.TYPE).list()));
                  return Result.done();
                })
            .forKind(ConfigMap.TYPE, Predicate.of(this::isOurs))
            .named("all")
            .sharded(false)
            .build());
    a.start();
    Replica b = replica("b").start();
    awaitMembers(a, b);
    awaitReconciled("1");
    awaitCaches(a, b);

    assertThat(names(a.manager.client().resource(ConfigMap.TYPE).list()))
        .containsAll(names(a.cached()))
        .containsAll(names(b.cached()));
    assertThat(a.manager.informerHealth()).containsKeys("configmaps", "configmaps of a shard");
    assertThat(seen).containsAll(names(a.cached())).containsAll(names(b.cached()));
  }

  @Test
  void slotsThatTheCacheCannotRead_areReconciledWhenItCan() throws Exception {
    create();
    Replica a = replica("a").start();
    Replica b = replica("b").start();
    awaitMembers(a, b);
    awaitReconciled("1");
    awaitCaches(a, b);

    a.isBlind = true;
    b.manager.close();
    awaitMembers(a);
    touch("2");
    Replica c = replica("c").start(); // Slots come and go meanwhile.
    awaitMembers(a, c);
    c.manager.close();
    awaitMembers(a);
    assertThat(a.group().slots()).hasSize(a.group().slotCount());
    a.isBlind = false;

    Eventually.await(
        "all objects", () -> a.reconciled.values().stream().filter("2"::equals).count() == OBJECTS);
    awaitCaches(a);
    assertThat(overlaps).isEmpty();
    assertThat(replicas).allSatisfy(r -> assertThat(r.deleted).isEmpty());
  }
}
