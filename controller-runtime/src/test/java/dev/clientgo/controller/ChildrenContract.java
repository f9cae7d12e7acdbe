package dev.clientgo.controller;

import static dev.clientgo.controller.ChildrenFixture.deployment;
import static dev.clientgo.controller.ChildrenFixture.secret;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.Bytes;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.controller.ChildrenResult.Child;
import dev.clientgo.controller.ChildrenResult.State;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.kubernetes.core.v1.Service;
import dev.clientgo.kubernetes.rbac.v1.ClusterRole;
import dev.clientgo.rest.RESTClient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The children of an owner as a set, on a server. */
abstract class ChildrenContract {

  private String name;
  private ChildrenFixture fixture;

  abstract RESTClient client();

  /** Returns a name that no other test has. */
  abstract String name();

  @BeforeEach
  void begin() throws InterruptedException {
    name = name();
    fixture = new ChildrenFixture(client(), name);
  }

  @AfterEach
  void end() {
    fixture.close();
  }

  private static List<OperationResult> operations(ChildrenResult result) {
    return result.children().stream()
        .map(Child::operation)
        .map(each -> each == null ? null : each.result())
        .toList();
  }

  private static List<State> states(ChildrenResult result) {
    return result.children().stream().map(Child::state).toList();
  }

  @Test
  void children_areCreated_changed_leftAlone_andDeleted() throws Exception {
    ChildrenResult created = fixture.children().apply(secret(name, "1"), secret(name + "-b", "1"));
    ChildrenResult same = fixture.children().apply(secret(name, "1"), secret(name + "-b", "1"));
    ChildrenResult renamed = fixture.children().apply(secret(name, "2"), secret(name + "-c", "1"));
    ChildrenResult after = fixture.children().apply(secret(name, "2"), secret(name + "-c", "1"));

    assertThat(operations(created))
        .containsExactly(OperationResult.CREATED, OperationResult.CREATED);
    assertThat(operations(same))
        .containsExactly(OperationResult.UNCHANGED, OperationResult.UNCHANGED);
    assertThat(operations(renamed))
        .containsExactly(OperationResult.UPDATED, OperationResult.CREATED, OperationResult.DELETED);
    assertThat(states(renamed)).containsExactly(State.READY, State.READY, State.DELETED);
    assertThat(operations(after)).hasSize(2).containsOnly(OperationResult.UNCHANGED);
    Secret stored = renamed.find(secret(name, "2")).orElseThrow();
    assertThat(OwnerReferences.isControlledBy(stored, fixture.owner)).isTrue();
    assertThat(stored.metadata().labels()).containsEntry(Children.SET, "shops");
    assertThat(fixture.secrets.find(name + "-b")).isEmpty();
    assertThat(fixture.events.lines())
        .containsExactly(
            "Normal Created created the Secret default/" + name,
            "Normal Created created the Secret default/" + name + "-b",
            "Normal Updated updated the Secret default/" + name,
            "Normal Created created the Secret default/" + name + "-c",
            "Normal Deleted deleted the Secret default/" + name + "-b");
  }

  @Test
  void nameOfAStranger_andOfAnotherOwner_areTaken_othersAreApplied_nothingIsDeleted()
      throws Exception {
    fixture.children().apply(secret(name + "-old", "1"));
    Secret stranger = fixture.secrets.create(secret(name + "-s", "theirs"));
    ConfigMap other = fixture.owners.create(ConfigMap.of("default", name + "-other", c -> {}));
    fixture.context.children(other).apply(secret(name + "-o", "theirs"));
    Secret theirs = fixture.secrets.get(name + "-o");

    ChildrenResult result =
        fixture
            .children()
            .apply(secret(name + "-s", "1"), secret(name + "-o", "1"), secret(name, "1"));

    assertThat(states(result))
        .containsExactly(State.NAME_TAKEN, State.NAME_TAKEN, State.READY, State.KEPT);
    assertThat(fixture.secrets.get(name + "-s")).isEqualTo(stranger);
    assertThat(fixture.secrets.get(name + "-o")).isEqualTo(theirs);
    assertThat(fixture.secrets.find(name + "-old")).isPresent();
    assertThat(result.isReady()).isFalse();
    assertThatThrownBy(result::orThrow)
        .isInstanceOf(ChildrenException.class)
        .hasMessageContaining("Secret default/" + name + "-s: there is one already, and it belongs")
        .hasMessageContaining("to no owner")
        .hasMessageContaining("to ConfigMap " + name + "-other")
        .hasMessageContaining("not to ConfigMap default/" + name + " ");
    assertThat(fixture.events.lines()).anyMatch(line -> line.startsWith("Warning NameTaken"));

    fixture.secrets.delete(name + "-s");
    fixture.context.children(other).apply(List.of());
    fixture.await(fixture.secrets, name + "-s");
    ChildrenResult freed =
        fixture
            .children()
            .apply(secret(name + "-s", "1"), secret(name + "-o", "1"), secret(name, "1"));
    assertThat(states(freed)).containsExactly(State.READY, State.READY, State.READY, State.DELETED);
  }

  @Test
  void stage_waitsForTheChildrenBeforeIt_andWhatIsThereStays() throws Exception {
    Children shop =
        fixture.children().add(deployment(name)).whenReady().add(secret(name + "-web", "1"));

    ChildrenResult first = shop.apply();
    fixture.rollOut(name);
    ChildrenResult second = shop.apply();
    fixture.deployments.edit(name, d -> d.with(b -> b.editSpec(s -> s.replicas(2))));
    fixture.await(fixture.deployments, name);
    ChildrenResult again =
        fixture.children().add(deployment(name)).whenReady().add(secret(name, "1")).apply();

    assertThat(states(first)).containsExactly(State.NOT_READY, State.WAITING);
    assertThat(first.message())
        .contains("Deployment default/" + name + ": Waiting for deployment spec update")
        .contains("Secret default/" + name + "-web: waits for Deployment default/" + name);
    assertThat(states(second)).containsExactly(State.READY, State.READY);
    assertThat(second.message()).isEmpty();
    assertThat(states(again)).containsExactly(State.NOT_READY, State.WAITING, State.KEPT);
    assertThat(fixture.secrets.find(name + "-web")).isPresent();
  }

  @Test
  void emptySet_deletesAll_namedSetsAreApart() throws Exception {
    fixture.children().apply(secret(name, "1"), deployment(name));
    Children canary = fixture.context.children(fixture.owner, "canary");
    canary.apply(secret(name + "-canary", "1"));

    ChildrenResult crossed = canary.apply(secret(name, "1"));
    ChildrenResult none = fixture.children().apply(List.of());

    assertThat(states(crossed)).containsExactly(State.NAME_TAKEN, State.KEPT);
    assertThat(crossed.message()).contains("it belongs to the set shops");
    assertThat(states(none)).containsExactly(State.DELETED, State.DELETED);
    assertThat(none.isReady()).isTrue();
    assertThat(fixture.children().apply(List.of()).children()).isEmpty();
    assertThat(fixture.secrets.find(name)).isEmpty();
    assertThat(fixture.deployments.find(name)).isEmpty();
    assertThat(fixture.secrets.get(name + "-canary").metadata().labels())
        .containsEntry(Children.SET, "shops.canary");
  }

  @Test
  void badInput_isRefused_andNothingIsWritten() throws Exception {
    fixture.children().apply(secret(name, "1"));
    Secret before = fixture.secrets.get(name);
    Children set = fixture.children();
    Secret good = secret(name + "-good", "1");

    assertThatThrownBy(set::apply).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(set::whenReady).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> set.apply((List<Secret>) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> set.apply(Arrays.asList(good, null)))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> set.apply(good, Service.of("default", name, s -> {})))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Service default/" + name)
        .hasMessageContaining("call owns(…)");
    assertThatThrownBy(() -> set.apply(good, good)).hasMessageContaining("two children");
    assertThatThrownBy(() -> set.apply(good, Secret.builder().build()))
        .hasMessageContaining("has no name");
    assertThatThrownBy(() -> set.apply(good, Secret.of("kube-system", name, s -> {})))
        .hasMessageContaining("cross-namespace");
    assertThatThrownBy(() -> set.apply(good, ClusterRole.of(name, r -> {})))
        .hasMessageContaining("must not have a namespaced owner");
    assertThatThrownBy(() -> fixture.context.children(before).apply(List.of()))
        .hasMessageContaining("a Secret cannot own children here");
    assertThatThrownBy(() -> fixture.context.children(fixture.owner, "a b"))
        .hasMessageContaining("shops.a b");

    assertThat(fixture.secrets.get(name)).isEqualTo(before);
    assertThat(fixture.secrets.find(name + "-good")).isEmpty();
  }

  @Test
  void childWithoutNamespace_getsThatOfTheOwner() throws Exception {
    Secret bare = secret(name, "1").with(s -> s.editMetadata(m -> m.namespace(null)));

    ChildrenResult result = fixture.children().apply(bare);

    assertThat(result.find(bare).orElseThrow().metadata().namespace()).isEqualTo("default");
  }

  @Test
  void childThatIsBeingDeleted_isAwaited_andAppliedWhenItIsGone() throws Exception {
    fixture.children().apply(secret(name, "1"), secret(name + "-b", "1"));
    for (String each : List.of(name, name + "-b")) {
      fixture.secrets.edit(
          each, s -> s.with(b -> b.editMetadata(m -> m.finalizers(List.of("example.com/hold")))));
      fixture.secrets.delete(each);
      fixture.await(fixture.secrets, each);
    }

    ChildrenResult waiting = fixture.children().apply(secret(name, "2"));

    assertThat(states(waiting)).containsExactly(State.TERMINATING, State.DELETED);
    assertThat(operations(waiting)).containsExactly(null, OperationResult.UNCHANGED);
    assertThat(waiting.message()).contains("is being deleted");
    String old = fixture.secrets.get(name).metadata().uid();
    for (String each : List.of(name, name + "-b")) {
      fixture.secrets.edit(each, s -> s.with(b -> b.editMetadata(m -> m.finalizers(List.of()))));
      fixture.await(fixture.secrets, each);
    }
    assertThat(operations(fixture.children().apply(secret(name, "2"))))
        .containsExactly(OperationResult.CREATED);
    assertThat(fixture.secrets.get(name).metadata().uid()).isNotEqualTo(old);
  }

  @Test
  void childThatOthersEdit_comesBack_childThatTheyDelete_isCreatedAgain() throws Exception {
    fixture.children().apply(secret(name, "1"), secret(name + "-b", "1"));
    fixture.secrets.edit(
        name,
        s -> s.with(b -> b.editData(d -> d.put("a", Bytes.of(new byte[] {1}))).stringData(null)));
    fixture.secrets.delete(name + "-b");
    fixture.await(fixture.secrets, name);
    fixture.await(fixture.secrets, name + "-b");

    ChildrenResult result = fixture.children().apply(secret(name, "1"), secret(name + "-b", "1"));

    assertThat(operations(result))
        .containsExactly(OperationResult.UPDATED, OperationResult.CREATED);
  }

  /** A child of an operator's earlier version, which knew no sets, has no label. */
  @Test
  void childWithoutTheLabel_isAdopted_childThatLostItsOwner_isNot() throws Exception {
    fixture.secrets.create(OwnerReferences.setController(secret(name, "1"), fixture.owner));
    fixture.children().apply(secret(name, "1"), secret(name + "-b", "1"));
    fixture.secrets.edit(
        name + "-b", s -> s.with(b -> b.editMetadata(m -> m.ownerReferences(List.of()))));
    fixture.await(fixture.secrets, name + "-b");

    ChildrenResult result = fixture.children().apply(List.of());

    assertThat(operations(result)).containsExactly(OperationResult.DELETED);
    assertThat(fixture.secrets.find(name)).isEmpty();
    assertThat(fixture.secrets.find(name + "-b")).isPresent();
  }

  @Test
  void ownerThatIsBeingDeleted_getsNoNewChildren() throws Exception {
    fixture.children().apply(secret(name, "1"));
    fixture.owners.edit(
        name, o -> o.with(b -> b.editMetadata(m -> m.finalizers(List.of("example.com/hold")))));
    fixture.owners.delete(name);
    ConfigMap going = fixture.owners.get(name);

    ChildrenResult result = fixture.context.children(going).apply(secret(name + "-b", "1"));
    ChildrenResult none = fixture.context.children(going).apply(List.of());

    assertThat(states(result)).containsExactly(State.WAITING, State.KEPT);
    assertThat(result.message()).contains("ConfigMap default/" + name + " is being deleted");
    assertThat(operations(none)).containsExactly(OperationResult.DELETED);
    fixture.owners.edit(name, o -> o.with(b -> b.editMetadata(m -> m.finalizers(List.of()))));
  }

  @Test
  void applySet_hasTheMarksOfTheStandard_andClusterScopedChildren() throws Exception {
    ClusterRole role = ClusterRole.of(name, r -> {});

    ChildrenResult created = fixture.children().applySet().apply(secret(name, "1"), role);
    ConfigMap parent = fixture.owners.get(name);
    ChildrenResult same =
        fixture.context.children(parent).applySet().apply(secret(name, "1"), role);
    ChildrenResult none = fixture.context.children(parent).applySet().apply(List.of());

    String id = parent.metadata().labels().get("applyset.kubernetes.io/id");
    assertThat(id).matches("applyset-[A-Za-z0-9_-]{43}-v1");
    assertThat(parent.metadata().annotations())
        .containsEntry("applyset.kubernetes.io/tooling", "shops/v1")
        .containsEntry(
            "applyset.kubernetes.io/contains-group-kinds",
            "ClusterRole.rbac.authorization.k8s.io,Deployment.apps,Secret");
    for (Child child : created.children()) {
      KubernetesObject object = child.operation().object();
      assertThat(object.metadata().labels())
          .containsEntry("applyset.kubernetes.io/part-of", id)
          .containsEntry(Children.SET, "shops");
    }
    assertThat(created.find(role).orElseThrow().metadata().ownerReferences()).isEmpty();
    assertThat(operations(same)).containsOnly(OperationResult.UNCHANGED);
    assertThat(fixture.owners.get(name).metadata().resourceVersion())
        .isEqualTo(parent.metadata().resourceVersion());
    assertThat(operations(none)).hasSize(2).containsOnly(OperationResult.DELETED);
  }

  @Test
  void manyChildren_withNamesThatAllChange() throws Exception {
    List<Secret> first = new ArrayList<>();
    List<Secret> second = new ArrayList<>();
    IntStream.range(0, 200)
        .forEach(
            i -> {
              first.add(secret(name + "-" + i, "1"));
              second.add(secret(name + "-" + UUID.nameUUIDFromBytes(new byte[] {(byte) i}), "1"));
            });

    assertThat(operations(fixture.children().apply(first)))
        .hasSize(200)
        .containsOnly(OperationResult.CREATED);
    assertThat(operations(fixture.children().apply(first)))
        .hasSize(200)
        .containsOnly(OperationResult.UNCHANGED);
    assertThat(fixture.children().apply(second).in(State.DELETED)).hasSize(200);
    assertThat(fixture.children().apply(List.of()).in(State.DELETED)).hasSize(200);
  }

  /** The server moves the values to another field, which has no owner. */
  @Test
  void stringData_thatHasChanged_isAnUpdate() throws Exception {
    fixture.children().apply(Secret.of("default", name, s -> s.stringData(Map.of("a", "1"))));

    ChildrenResult result =
        fixture.children().apply(Secret.of("default", name, s -> s.stringData(Map.of("a", "2"))));

    assertThat(operations(result)).containsExactly(OperationResult.UPDATED);
  }

  /** A process that has died after it created a child remembers nothing. */
  @Test
  void nextProcess_findsTheChildren() throws Exception {
    fixture.children().apply(secret(name, "1"), secret(name + "-b", "1"));
    fixture.close();
    fixture = new ChildrenFixture(client(), name);

    ChildrenResult result = fixture.children().apply(secret(name, "1"));

    assertThat(operations(result))
        .containsExactly(OperationResult.UNCHANGED, OperationResult.DELETED);
    assertThat(Map.copyOf(fixture.secrets.get(name).metadata().labels()))
        .containsEntry(Children.SET, "shops");
  }

  @Test
  void applySet_neverTakesOverAChildThatLostItsOwner() throws Exception {
    fixture.children().applySet().apply(secret(name, "1"));
    Secret orphan =
        fixture.secrets.edit(
            name, s -> s.with(b -> b.editMetadata(m -> m.ownerReferences(List.of()))));
    fixture.await(fixture.secrets, name);

    ChildrenResult result = fixture.children().applySet().apply(secret(name, "2"));

    assertThat(states(result)).containsExactly(State.NAME_TAKEN);
    assertThat(fixture.secrets.get(name)).isEqualTo(orphan);
  }

  @Test
  void applySet_ofAnotherTool_isRefused_andNothingIsWritten() throws Exception {
    ConfigMap theirs =
        fixture.owners.edit(
            name,
            o ->
                o.with(
                    b ->
                        b.editMetadata(
                            m ->
                                m.annotations(
                                    Map.of("applyset.kubernetes.io/tooling", "kubectl/v1.30")))));

    assertThatThrownBy(() -> fixture.context.children(theirs).applySet().apply(secret(name, "1")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ConfigMap default/" + name)
        .hasMessageContaining("kubectl/v1.30");
    assertThat(fixture.owners.get(name)).isEqualTo(theirs);
    assertThat(fixture.secrets.find(name)).isEmpty();
  }

  /**
   * A condition has at most 32768 characters, and a server may answer with a whole pod template.
   */
  @Test
  void message_fitsIntoACondition_howeverManyChildrenWait() throws Exception {
    List<KubernetesObject> first = new ArrayList<>();
    List<Secret> second = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      first.add(deployment(name + "-" + "x".repeat(180) + i));
      second.add(secret(name + "-" + i, "1"));
    }

    ChildrenResult result = fixture.children().add(first).whenReady().add(second).apply();

    assertThat(result.in(State.WAITING)).hasSize(20);
    assertThat(result.in(State.WAITING).get(0).message()).endsWith(", and 10 more");
    fixture.children().apply(List.of());
  }
}
