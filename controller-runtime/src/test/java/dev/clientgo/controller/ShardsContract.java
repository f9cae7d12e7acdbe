package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.testing.Eventually;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replicas that share the objects, and cache those of all replicas. */
@Timeout(300)
abstract class ShardsContract extends ShardsFixture {

  private Replica replica(String name) {
    return new Replica(name, false, group -> {});
  }

  @Test
  void replicas_shareTheObjects_whateverBecomesOfThem() throws Exception {
    create();
    Replica a = replica("a").start();
    Replica b = replica("b").start();
    Replica c = replica("c").start();
    awaitMembers(a, b, c);
    touch("2");
    awaitReconciled("2");
    // Each has a part, and no object was with two of them.
    assertThat(List.of(a, b, c)).allSatisfy(r -> assertThat(r.reconciled).containsValue("2"));
    for (int i = 0; i < OBJECTS; i++) {
      String object = object(i);
      assertThat(replicas.stream().filter(r -> "2".equals(r.reconciled.get(object)))).hasSize(1);
    }

    a.isCutOff = true; // It cannot write any more. The others take its slots when it has stopped.
    touch("3");
    awaitMembers(b, c);
    assertThat(a.group().slots()).isEmpty();
    touch("4");
    awaitReconciled("4");

    a.isCutOff = false;
    Replica d = replica("d").start();
    awaitMembers(a, b, c, d);
    touch("5");
    awaitReconciled("5");

    // A clean end: what is deleted meanwhile is reconciled by a replica that is left.
    b.manager.close();
    maps().delete(object(0));
    maps().delete(object(1));
    awaitMembers(a, c, d);
    Eventually.await(
        "the deletions",
        () ->
            List.of(object(0), object(1)).stream()
                .allMatch(o -> replicas.stream().anyMatch(r -> r.deleted.contains(o))));

    assertThat(overlaps).isEmpty();
    // No replica has ever taken the loss of a slot for a deletion.
    assertThat(replicas).allSatisfy(r -> assertThat(r.deleted).isSubsetOf(object(0), object(1)));
  }

  @Test
  void member_withAnotherNumberOfSlots_fails() throws Exception {
    Replica a = replica("a").start();
    awaitMembers(a);

    Replica other = new Replica("other", false, group -> group.slots(16)).start();

    assertThatThrownBy(() -> other.manager.awaitEnd())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(
            "has 256 slots, but this member was built with slots(16): all members need the same");
    assertThat(a.group().slots()).hasSize(256);
  }
}
