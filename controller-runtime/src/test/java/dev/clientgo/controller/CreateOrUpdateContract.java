package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.Conditions;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Creating or changing objects, and changing their status, through the cached client. */
abstract class CreateOrUpdateContract {

  private Manager manager;
  private CachedResource<ConfigMap> maps;
  private CachedResource<Deployment> deployments;
  private ResourceClient<ConfigMap> others;

  abstract RESTClient client();

  /** Returns a name that no other test has. */
  abstract String name();

  @BeforeEach
  void begin() {
    manager = Manager.create(client());
    manager.start();
    maps = manager.client().resource(ConfigMap.TYPE);
    deployments = manager.client().resource(Deployment.TYPE);
    others = client().resource(ConfigMap.TYPE).inNamespace("default");
  }

  @AfterEach
  void end() {
    manager.close();
  }

  private static UnaryOperator<ConfigMap> data(String value) {
    return map -> map.with(c -> c.data(Map.of("a", value)));
  }

  @Test
  void missing_isCreated_same_isUnchanged_different_isUpdated() throws Exception {
    ConfigMap initial = ConfigMap.of("default", name(), c -> {});

    Operation<ConfigMap> created = maps.createOrUpdate(initial, data("1"));
    Operation<ConfigMap> again = maps.createOrUpdate(initial, data("1"));
    Operation<ConfigMap> updated = maps.createOrUpdate(initial, data("2"));

    assertThat(created.result()).isEqualTo(OperationResult.CREATED).hasToString("created");
    assertThat(again).isEqualTo(new Operation<>(OperationResult.UNCHANGED, created.object()));
    assertThat(again.isChanged()).isFalse();
    assertThat(updated.result()).isEqualTo(OperationResult.UPDATED);
    assertThat(updated.object().data()).containsEntry("a", "2");
  }

  /** A field that another client has set, and that this change does not name, stays. */
  @Test
  void changesOfOthers_stay_andTheChangeIsMadeOfTheServersObject() throws Exception {
    String name = name();
    ConfigMap initial = ConfigMap.of("default", name, c -> {});
    maps.createOrUpdate(initial, data("1"));
    others.edit(name, map -> map.with(c -> c.data(Map.of("a", "1", "b", "theirs"))));

    Operation<ConfigMap> updated =
        maps.createOrUpdate(initial, map -> map.with(c -> c.editData(d -> d.put("a", "2"))));

    assertThat(updated.object().data()).isEqualTo(Map.of("a", "2", "b", "theirs"));
  }

  @Test
  void change_mustKeepTheName() {
    assertThatThrownBy(
            () ->
                maps.createOrUpdate(
                    ConfigMap.of("default", name(), c -> {}),
                    map -> map.with(c -> c.editMetadata(m -> m.name("other")))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must keep the name and the namespace")
        .hasMessageContaining("default/other");
    assertThatThrownBy(
            () ->
                maps.createOrUpdate(
                    ConfigMap.of(c -> c.editMetadata(m -> m.generateName("x-"))), data("1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has no name");
  }

  private static Deployment deployment(String name) {
    Map<String, String> labels = Map.of("app", name);
    return Deployment.of(
        "default",
        name,
        d ->
            d.editSpec(
                s ->
                    s.editSelector(l -> l.matchLabels(labels))
                        .editTemplate(
                            t ->
                                t.editMetadata(m -> m.labels(labels))
                                    .editSpec(
                                        p ->
                                            p.addContainers(
                                                c -> c.name("web").image("nginx:1"))))));
  }

  private static UnaryOperator<Deployment> scaled(int replicas, String status) {
    return d ->
        d.with(
            b ->
                b.editSpec(s -> s.replicas(replicas))
                    .editStatus(
                        s -> s.editConditions("Available", c -> c.status(status).reason("Test"))));
  }

  @Test
  void status_isWrittenByItsOwnRequest_andOnlyIfItChanges() throws Exception {
    Deployment initial = deployment(name());

    Operation<Deployment> created = deployments.createOrPatch(initial, scaled(1, "True"));
    assertThat(created.result()).isEqualTo(OperationResult.CREATED);
    assertThat(created.object().status().conditions().get(0).status()).isEqualTo("True");
    assertThat(created.object().status().conditions().get(0).lastTransitionTime()).isNotNull();

    assertThat(deployments.createOrPatch(initial, scaled(1, "True")))
        .isEqualTo(new Operation<>(OperationResult.UNCHANGED, created.object()));
    assertThat(deployments.createOrPatch(initial, scaled(2, "True")).result())
        .isEqualTo(OperationResult.UPDATED);
    assertThat(deployments.createOrPatch(initial, scaled(2, "False")).result())
        .isEqualTo(OperationResult.UPDATED_STATUS_ONLY);
    Operation<Deployment> both = deployments.createOrPatch(initial, scaled(3, "True"));
    assertThat(both.result()).isEqualTo(OperationResult.UPDATED_STATUS);
    assertThat(both.object().spec().replicas()).isEqualTo(3);
    assertThat(both.object().status().conditions().get(0).status()).isEqualTo("True");
  }

  @Test
  void editStatus_ofAKnownObject_keepsItIfNothingChanges() throws Exception {
    Deployment stored = deployments.create(deployment(name()));
    UnaryOperator<Deployment> ready =
        d ->
            d.with(
                b ->
                    b.editStatus(
                        s ->
                            s.observedGeneration(d.metadata().generation())
                                .editConditions(
                                    "Available",
                                    c -> c.status(Conditions.TRUE).reason("Started"))));

    Deployment first = deployments.editStatus(stored, ready);
    Deployment second = deployments.editStatus(first, ready);

    assertThat(first.metadata().resourceVersion())
        .isNotEqualTo(stored.metadata().resourceVersion());
    assertThat(first.status().observedGeneration()).isEqualTo(1);
    assertThat(second).isSameAs(first);
    assertThat(deployments.edit(first, d -> d)).isSameAs(first);
  }

  @Test
  void editStatus_ofAnObjectThatWasCreatedAgain_isAConflict() throws Exception {
    String name = name();
    ConfigMap stored = maps.create(ConfigMap.of("default", name, c -> c.data(Map.of("a", "1"))));
    others.delete(name);
    others.create(ConfigMap.of("default", name, c -> c.data(Map.of("a", "1"))));

    assertThatThrownBy(() -> maps.edit(stored, data("2")))
        .hasMessageContaining("the object was deleted and created again");
    assertThat(others.get(name).data()).containsEntry("a", "1");
  }

  @Test
  void owner_isSetWithinTheChange() throws Exception {
    ConfigMap owner = maps.create(ConfigMap.of("default", name(), c -> {}));
    ConfigMap initial = ConfigMap.of("default", name(), c -> {});
    UnaryOperator<ConfigMap> owned =
        map -> OwnerReferences.setController(data("1").apply(map), owner);

    Operation<ConfigMap> created = maps.createOrUpdate(initial, owned);

    assertThat(OwnerReferences.isControlledBy(created.object(), owner)).isTrue();
    assertThat(maps.createOrUpdate(initial, owned).isChanged()).isFalse();
  }
}
