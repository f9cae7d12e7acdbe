package dev.clientgo.controller;

import static dev.clientgo.controller.ChildrenFixture.secret;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.controller.ChildrenResult.Child;
import dev.clientgo.controller.ChildrenResult.State;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.traffic.OpenWatch;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.kubernetes.rbac.v1.ClusterRole;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Children with old caches, lost answers and refusals. */
final class ChildrenFaultsTest {

  private EmbeddedApiServer server;
  private RESTClient client;
  private ChildrenFixture fixture;

  @BeforeEach
  void start() throws InterruptedException {
    server = EmbeddedApiServer.start();
    client = RESTClient.create(server.restConfig());
    fixture = new ChildrenFixture(client, "shop");
  }

  @AfterEach
  void stop() {
    fixture.close();
    client.close();
    server.close();
  }

  /** From now on the caches show only what the controller itself writes. */
  private void silence() throws InterruptedException {
    fixture.await(fixture.secrets, "a");
    server.awaitWatches(4);
    server.watches().forEach(OpenWatch::goSilent);
  }

  private static List<State> states(ChildrenResult result) {
    return result.children().stream().map(Child::state).toList();
  }

  private long writes() {
    return server.requests().stream().filter(request -> !request.method().equals("GET")).count();
  }

  @Test
  void nothingToDo_sendsNothing() throws Exception {
    fixture.children().apply(secret("a", "1"), secret("b", "1"));
    server.clearRequests();

    fixture.children().apply(secret("a", "1"), secret("b", "1"));

    assertThat(server.requests()).isEmpty();
  }

  /** Both had the label of one set, and each deleted the children of the other. */
  @Test
  void controllerNamedLikeASetOfAnother_deletesNothingOfIt() throws Exception {
    fixture.context.children(fixture.owner, "canary").apply(secret("a", "1"));

    try (ChildrenFixture other =
        new ChildrenFixture(client, "shop", ChildrenFixture.CONTROLLER + ".canary", i -> {})) {
      other.await(other.secrets, "a");
      assertThatThrownBy(() -> other.children().apply(secret("b", "1")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("must not have a dot");
    }
    assertThat(fixture.secrets.get("a").metadata().isBeingDeleted()).isFalse();
  }

  @Test
  void oldCache_withoutTheObjectOfAStranger_neverTakesItOver() throws Exception {
    silence();
    Secret stranger = fixture.secrets.create(secret("a", "theirs"));

    ChildrenResult result = fixture.children().apply(secret("a", "1"));

    assertThat(states(result)).containsExactly(State.NAME_TAKEN);
    assertThat(fixture.secrets.get("a")).isEqualTo(stranger);
  }

  @Test
  void oldCache_withAChildThatIsGone_createsIt_withASuccessorOfAStranger_leavesThat()
      throws Exception {
    fixture.children().apply(secret("a", "1"), secret("b", "1"));
    silence();
    fixture.secrets.delete("a");
    fixture.secrets.delete("b");
    Secret stranger = fixture.secrets.create(secret("b", "theirs"));

    ChildrenResult result = fixture.children().apply(secret("a", "2"), secret("b", "2"));

    assertThat(states(result)).containsExactly(State.READY, State.NAME_TAKEN);
    assertThat(result.children().get(0).operation().result()).isEqualTo(OperationResult.CREATED);
    assertThat(fixture.secrets.get("b")).isEqualTo(stranger);
  }

  @Test
  void oldCache_deletesNothingThatIsNewOrWasGivenAway_butWhatOthersHaveChanged() throws Exception {
    fixture.children().apply(secret("a", "1"), secret("b", "1"), secret("c", "1"));
    ConfigMap other = fixture.owners.create(ConfigMap.of("default", "other", c -> {}));
    silence();
    fixture.secrets.delete("a");
    Secret successor = fixture.secrets.create(secret("a", "theirs"));
    Secret given =
        fixture.secrets.edit(
            "b",
            s ->
                OwnerReferences.setController(
                    OwnerReferences.removeController(s, fixture.owner), other));
    fixture.secrets.edit(
        "c", s -> s.with(b -> b.editMetadata(m -> m.editLabels(l -> l.put("x", "y")))));

    ChildrenResult result = fixture.children().apply(List.of());

    assertThat(result.children()).hasSize(1);
    assertThat(result.children().get(0))
        .hasToString("Secret default/c: no longer desired; it is being deleted");
    assertThat(fixture.secrets.get("a")).isEqualTo(successor);
    assertThat(fixture.secrets.get("b")).isEqualTo(given);
    assertThat(fixture.secrets.find("c")).isEmpty();
  }

  @Test
  void oldOwner_deletesNothing_thatANewOneMayDesire() throws Exception {
    fixture.children().apply(secret("a", "1"), secret("b", "1"));
    fixture.owners.edit(
        "shop", c -> c.with(b -> b.editMetadata(m -> m.editLabels(l -> l.put("b", "wanted")))));

    ChildrenResult old = fixture.children().apply(secret("a", "1"));

    assertThat(states(old)).containsExactly(State.READY, State.FAILED);
    assertThat(old.message()).contains("it has changed since this reconcile read it");
    assertThat(fixture.secrets.find("b")).isPresent();
    ChildrenResult current =
        fixture.context.children(fixture.owners.get("shop")).apply(secret("a", "1"));
    assertThat(states(current)).containsExactly(State.READY, State.DELETED);
    assertThat(fixture.secrets.find("b")).isEmpty();
  }

  @Test
  void lostAnswer_ofACreation_isAFailure_andTheNextApplyKnowsTheObject() throws Exception {
    silence();
    server.faults().on(request -> request.matches("patch", "secrets")).times(1).cutAfter(0);

    ChildrenResult lost = fixture.children().apply(secret("a", "1"), secret("b", "1"));
    ChildrenResult next = fixture.children().apply(secret("a", "1"), secret("b", "1"));

    assertThat(states(lost)).containsExactly(State.FAILED, State.READY);
    assertThatThrownBy(lost::orThrow)
        .hasMessageContaining("Secret default/a")
        .hasCause(lost.children().get(0).error());
    assertThat(states(next)).containsExactly(State.READY, State.READY);
    assertThat(next.children().get(0).operation().result()).isEqualTo(OperationResult.UNCHANGED);
    assertThat(fixture.secrets.list().items()).hasSize(2);
  }

  @Test
  void lostAnswer_ofADeletion_isAFailure_andTheNextApplyFindsNothing() throws Exception {
    fixture.children().apply(secret("a", "1"));
    silence();
    server.faults().on(request -> request.matches("delete", "secrets")).times(1).cutAfter(0);

    ChildrenResult lost = fixture.children().apply(List.of());
    ChildrenResult next = fixture.children().apply(List.of());

    assertThat(states(lost)).containsExactly(State.FAILED);
    assertThat(next.children()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"patch, 403", "patch, 500", "patch, 404", "delete, 403", "delete, 500"})
  void refusal_isTheFailureOfThatChild_othersAreDone_andItHealsLater(String verb, int code)
      throws Exception {
    fixture.children().apply(secret("old", "1"), secret("older", "1"));
    int[] seen = {0};
    server
        .faults()
        .on(request -> request.matches(verb, "secrets") && seen[0]++ == 0)
        .always()
        .answer(code);

    ChildrenResult refused = fixture.children().apply(secret("a", "1"), secret("b", "1"));
    ChildrenResult healed = fixture.children().apply(secret("a", "1"), secret("b", "1"));

    assertThat(states(refused)).containsOnlyOnce(State.FAILED).contains(State.READY);
    assertThat(fixture.events.lines()).anyMatch(line -> line.startsWith("Warning ChildFailed"));
    assertThatThrownBy(refused::orThrow).isInstanceOf(ChildrenException.class);
    assertThat(healed.isReady()).isTrue();
    assertThat(fixture.secrets.list().items())
        .extracting(secret -> secret.metadata().name())
        .containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void invalidChild_isSentOnce() throws Exception {
    silence();
    long before = writes();

    ChildrenResult result = fixture.children().apply(secret("not_a_name", "1"));

    assertThat(states(result)).containsExactly(State.FAILED);
    assertThat(writes() - before).isEqualTo(1);
  }

  @Test
  void otherJavaType_isRefused() {
    assertThatThrownBy(
            () ->
                fixture
                    .children()
                    .apply(
                        dev.clientgo.apimachinery.unstructured.Unstructured.from(
                            Secret.CODEC, secret("a", "1"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("another Java type than that of owns(…)");
  }

  @Test
  void message_isCut_beforeItIsTooLongForACondition() {
    List<Child> children =
        Collections.nCopies(
            20,
            new Child(
                Secret.TYPE.kind(),
                new ObjectName("default", "a"),
                State.FAILED,
                null,
                "\ud83d\ude00".repeat(20_000),
                null));

    ChildrenResult result = new ChildrenResult(children);

    assertThat(result.message()).hasSizeLessThan(32_768).endsWith("...; and 10 more");
    assertThatThrownBy(result::orThrow).hasMessage(result.message());
    assertThat(UTF_8.newEncoder().canEncode(result.message())).isTrue();
  }

  /** An earlier process made it; without its owner, nothing would delete it later. */
  @Test
  void ownerThatIsBeingDeleted_leavesNoClusterScopedChild_thatAnOldCacheLacks() throws Exception {
    ClusterRole role = ClusterRole.of("reader", r -> {});
    fixture.owners.edit(
        "shop", o -> o.with(b -> b.editMetadata(m -> m.finalizers(List.of("example.com/hold")))));
    fixture.owners.delete("shop");
    ConfigMap going = fixture.owners.get("shop");
    ResourceClient<ClusterRole> roles = client.resource(ClusterRole.TYPE);
    ClusterRole made =
        (ClusterRole)
            fixture.children().applySet().apply(role).children().get(0).operation().object();
    fixture.context.children(going).applySet().apply(List.of());
    silence();
    roles.create(
        ClusterRole.of("reader", r -> r.editMetadata(m -> m.labels(made.metadata().labels()))));

    ChildrenResult result = fixture.context.children(going).applySet().apply(List.of());

    assertThat(states(result)).containsExactly(State.DELETED);
    assertThat(roles.find("reader")).isEmpty();
  }
}
