package dev.clientgo.controller.internal.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.Bytes;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.controller.debug.FieldChange;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.Secret;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class FieldDiffTest {

  private static final ResourceType<Unstructured> DEPLOYMENTS =
      Unstructured.type(Deployment.TYPE.kind(), "deployments", true);

  private static Unstructured yaml(String text) {
    return Unstructured.parseYaml(text).get(0);
  }

  private static List<String> changes(String before, String after) {
    return FieldDiff.between(DEPLOYMENTS, yaml(before), yaml(after)).changes().stream()
        .map(FieldChange::toString)
        .toList();
  }

  @Test
  void changes_nameTheFieldAndBothValues_andElementsByTheirNames() {
    assertThat(
            changes(
                """
                metadata:
                  name: web
                  resourceVersion: "1"
                  managedFields: [{manager: a, operation: Update}]
                  annotations:
                    kubectl.kubernetes.io/last-applied-configuration: "{old}"
                  labels: {app.kubernetes.io/name: web, team: a}
                spec:
                  replicas: 1
                  containers:
                  - {name: a, image: "a:1"}
                  - {name: b, image: "b:1"}
                  args: [p, q]
                status:
                  conditions:
                  - {type: Ready, status: "False"}
                  - {type: Synced, status: "True"}
                """,
                """
                metadata:
                  name: web
                  resourceVersion: "2"
                  managedFields: [{manager: b, operation: Update}]
                  annotations:
                    kubectl.kubernetes.io/last-applied-configuration: "{new}"
                  labels: {app.kubernetes.io/name: shop}
                spec:
                  replicas: 3
                  containers:
                  - {name: b, image: "b:2"}
                  - {name: c, image: "c:1"}
                  args: [p]
                status:
                  conditions:
                  - {type: Synced, status: "True"}
                  - {type: Ready, status: "True"}
                  ports: [{port: 1}]
                """))
        .containsExactlyInAnyOrder(
            "metadata.labels[app.kubernetes.io/name]: \"web\" -> \"shop\"",
            "metadata.labels.team: \"a\" -> (absent)",
            "spec.replicas: 1 -> 3",
            "spec.containers[name=a]: {\"name\":\"a\",\"image\":\"a:1\"} -> (absent)",
            "spec.containers[name=b].image: \"b:1\" -> \"b:2\"",
            "spec.containers[name=c]: (absent) -> {\"name\":\"c\",\"image\":\"c:1\"}",
            "spec.args: [\"p\",\"q\"] -> [\"p\"]",
            "status.conditions[type=Ready].status: \"False\" -> \"True\"",
            "status.ports: (absent) -> [{\"port\":1}]");
  }

  @Test
  void equalStates_haveNoChanges() {
    String state = "{metadata: {name: web}, spec: {replicas: 1, list: [{a: 1}, {a: 1}]}}";

    assertThat(changes(state, state)).isEmpty();
  }

  @Test
  void longValuesAndManyFields_areCutOff() {
    StringBuilder before = new StringBuilder("metadata: {name: web}\nspec:\n  text: a\n");
    StringBuilder after =
        new StringBuilder("metadata: {name: web}\nspec:\n  text: " + "b".repeat(1000) + "\n");
    for (int i = 0; i < 100; i++) {
      before.append("  f").append(i).append(": 1\n");
      after.append("  f").append(i).append(": 2\n");
    }

    FieldDiff diff =
        FieldDiff.between(DEPLOYMENTS, yaml(before.toString()), yaml(after.toString()));

    assertThat(diff.changes()).hasSize(FieldDiff.MAX_FIELDS);
    assertThat(diff.others()).isEqualTo(101 - FieldDiff.MAX_FIELDS);
    assertThat(diff.changes())
        .filteredOn(change -> change.path().equals("spec.text"))
        .singleElement()
        .satisfies(
            change ->
                assertThat(change.after())
                    .hasSizeLessThan(250)
                    .endsWith("… (802 more characters)"));
  }

  @Test
  void secrets_showNoValues() {
    Secret before =
        Secret.of(
            "shop",
            "token",
            s ->
                s.type("Opaque")
                    .stringData(Map.of("user", "alice-in-plain"))
                    .editMetadata(
                        m ->
                            m.labels(Map.of("app", "web"))
                                .annotations(Map.of("seed", "hunter-1"))));
    Secret after =
        Secret.of(
            "shop",
            "token",
            s ->
                s.type("kubernetes.io/basic-auth")
                    .stringData(Map.of("user", "bob-in-plain", "more", "hunter-3"))
                    .data(Map.of("password", Bytes.of(new byte[] {1, 2, 3})))
                    .editMetadata(
                        m ->
                            m.labels(Map.of("app", "db")).annotations(Map.of("seed", "hunter-2"))));

    List<String> changes =
        FieldDiff.between(Secret.TYPE, before, after).changes().stream()
            .map(FieldChange::toString)
            .toList();

    assertThat(changes)
        .containsExactlyInAnyOrder(
            "type: \"Opaque\" -> \"kubernetes.io/basic-auth\"",
            "stringData.user: (hidden) -> (hidden)",
            "stringData.more: (absent) -> (hidden)",
            "data: (absent) -> (hidden)",
            "metadata.labels.app: \"web\" -> \"db\"",
            "metadata.annotations.seed: (hidden) -> (hidden)");
  }
}
