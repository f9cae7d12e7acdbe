package dev.clientgo.simulation;

import static dev.clientgo.simulation.CustomKind.CERTIFICATE;
import static dev.clientgo.simulation.CustomKind.SCALED_OBJECT;
import static dev.clientgo.simulation.CustomKind.TOPIC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.simulation.CustomKind.Code;
import dev.clientgo.simulation.CustomKind.MisconfiguredException;
import dev.clientgo.simulation.ExplorationResult.Finding;
import dev.clientgo.simulation.plan.Plan.Fault.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Explorations of published kinds with small controllers: each class of bugs of Acto is found, and
 * the same controller without the bug passes.
 */
@Timeout(300)
final class ExplorationTest {

  /** {@code -Dsimulation.explorations=10000} explores the twins for longer. */
  private static final int RUNS = Integer.getInteger("simulation.explorations", 20);

  private static final long SEED = Long.getLong("simulation.seed", 1);

  @SuppressWarnings("ImmutableEnumChecker") // The code has no state.
  private enum Bug {
    CHANGE_NOT_ROLLED_OUT(
        TOPIC,
        (topic, before) -> Map.of("n", before.getOrDefault("n", text(topic, "partitions"))),
        (topic, before) -> Map.of("n", text(topic, "partitions")),
        "\"partitions\":",
        "after the change, unlike in a fresh cluster, configmaps default/child is"),
    EFFECT_OF_A_REMOVED_FIELD_STAYS(
        TOPIC,
        (topic, before) -> with(before, texts(topic, "config")),
        (topic, before) -> texts(topic, "config"),
        "\"config\":",
        "configmaps default/child is"),
    FAILS_WITHOUT_AN_OPTIONAL_FIELD(
        CERTIFICATE,
        (certificate, before) ->
            Map.of(
                "key", certificate.nestedString("spec", "privateKey", "algorithm").orElseThrow()),
        (certificate, before) ->
            Map.of(
                "key", certificate.nestedString("spec", "privateKey", "algorithm").orElse("RSA")),
        "{\"spec\":{\"privateKey\":{\"algorithm\":null}}}",
        "status does not say so: java.util.NoSuchElementException"),
    DOES_NOT_RECOVER(
        TOPIC,
        (topic, before) -> atMostThree(topic, isReported(topic)),
        (topic, before) -> atMostThree(topic, false),
        "\"replicas\":",
        "after the change back, reconciles still fail: {"),
    CHILD_LEAKED(
        CERTIFICATE,
        (certificate, before) ->
            text(certificate, "isCA").equals("true")
                ? Map.of("ca", "true", CustomKind.ORPHAN, "")
                : Map.of(),
        (certificate, before) -> Map.of("ca", text(certificate, "isCA")),
        "{\"spec\":{\"isCA\":true}}",
        "when the user has deleted everything, there is configmaps default/child"),
    SCALE_TO_ZERO(
        SCALED_OBJECT,
        (scaled, before) ->
            text(scaled, "minReplicaCount").equals("0") && before.containsKey("n")
                ? before
                : Map.of("n", text(scaled, "minReplicaCount")),
        (scaled, before) -> Map.of("n", text(scaled, "minReplicaCount")),
        "{\"spec\":{\"minReplicaCount\":0}}",
        "after the change, unlike in a fresh cluster, configmaps default/child is"),
    TWO_FIELDS(
        TOPIC,
        (topic, before) ->
            text(topic, "topicName").isEmpty() && text(topic, "replicas").equals("1")
                ? before
                : texts(topic, ""),
        (topic, before) -> texts(topic, ""),
        "{\"spec\":{\"replicas\":1,\"topicName\":\"\"}}",
        "after the change, unlike in a fresh cluster, configmaps default/child is");

    private final CustomKind kind;
    private final Code bug;
    private final Code twin;
    private final String change;
    private final String symptom;

    Bug(CustomKind kind, Code bug, Code twin, String change, String symptom) {
      this.kind = kind;
      this.bug = bug;
      this.twin = twin;
      this.change = change;
      this.symptom = symptom;
    }

    Exploration exploration(Code code) {
      ControllerSimulation simulation = kind.simulation(code).mostFailures(1);
      // It follows no child without an owner.
      return kind.exploration(
          this == CHILD_LEAKED ? simulation.without(Kind.DELETE_CHILDREN) : simulation);
    }
  }

  // ---- the parts of the controllers

  private static String text(Unstructured object, String field) {
    return object.nested("spec", field).map(String::valueOf).orElse("");
  }

  private static Map<String, String> texts(Unstructured object, String field) {
    Map<String, String> texts = new TreeMap<>();
    object
        .nestedMap(field.isEmpty() ? new String[] {"spec"} : new String[] {"spec", field})
        .orElse(Map.of())
        .forEach((name, value) -> texts.put(name, String.valueOf(value)));
    return texts;
  }

  private static Map<String, String> with(Map<String, String> some, Map<String, String> more) {
    Map<String, String> all = new HashMap<>(some);
    all.putAll(more);
    return all;
  }

  private static boolean isReported(Unstructured object) {
    return object
        .nestedList("status", "conditions")
        .map(String::valueOf)
        .orElse("")
        .contains("Mis");
  }

  private static Map<String, String> atMostThree(Unstructured topic, boolean hasFailed)
      throws MisconfiguredException {
    String replicas = text(topic, "replicas");
    if (hasFailed || (!replicas.isEmpty() && Integer.parseInt(replicas) > 3)) {
      throw new MisconfiguredException("there are three brokers");
    }
    return Map.of("n", replicas);
  }

  // ---- the tests

  @ParameterizedTest
  @EnumSource
  void bug_isFound_andReplayed(Bug bug) {
    Exploration exploration = bug.exploration(bug.bug).runs(200).seed(2);

    ExplorationResult result = exploration.run();

    assertThat(result.findings()).as("%s", result).hasSize(1);
    Finding finding = result.findings().get(0);
    assertThat(finding.change()).as(finding.describe()).contains(bug.change);
    assertThat(String.join("\n", finding.violations())).contains(bug.symptom);
    assertThat(exploration.replay(finding.change())).isEqualTo(finding);
  }

  @ParameterizedTest
  @EnumSource
  void twin_passes(Bug bug) {
    ExplorationResult result = bug.exploration(bug.twin).runs(RUNS).seed(SEED).run();

    result.assertPassed();
    assertThat(result.changes()).isPositive();
  }

  @Test
  void sameSeed_sameRuns() {
    Exploration exploration = Bug.CHILD_LEAKED.exploration(Bug.CHILD_LEAKED.bug).runs(40);

    ExplorationResult first = exploration.seed(2).run();

    assertThat(first.findings()).isNotEmpty();
    assertThat(exploration.run()).isEqualTo(first);
    assertThat(exploration.runs(10).seed(3).run().withoutEffect())
        .isNotEqualTo(exploration.seed(2).run().withoutEffect());
  }

  @Test
  void failure_thatTheStatusReports_isNoFailure() {
    Bug recovers = Bug.DOES_NOT_RECOVER;
    ExplorationResult result = recovers.exploration(recovers.twin).runs(44).seed(2).run();

    result.assertPassed();
    assertThat(result.reported()).isPositive();
  }

  @Test
  void change_thatARuleRefuses_isCounted_andNoFailure() {
    ExplorationResult result =
        Bug.SCALE_TO_ZERO.exploration(Bug.SCALE_TO_ZERO.twin).runs(24).seed(3).run();

    result.assertPassed();
    assertThat(result.refused()).isPositive();
    assertThat(
            Bug.SCALE_TO_ZERO
                .exploration(Bug.SCALE_TO_ZERO.twin)
                .replay("{\"spec\":{\"minReplicaCount\":6}}")
                .violations())
        .containsExactly("the server refuses it");
  }

  /** The object without a change has no random value, so only the changed one shows that it is. */
  @Test
  void randomValue_thatAChangeAsksFor_isNoFailure() {
    Exploration exploration =
        CERTIFICATE.exploration(
            CERTIFICATE.simulationOf(
                process ->
                    (certificate, before) ->
                        text(certificate, "isCA").equals("true")
                            ? with(Map.of("key", "" + process.random().nextLong()), before)
                            : Map.of()));

    assertThat(exploration.replay("{\"spec\":{\"isCA\":true}}").violations()).isEmpty();
  }

  @Test
  void coverage_namesFieldsOutOfReach_andWithoutEffect() {
    ExplorationResult result =
        CERTIFICATE
            .exploration(
                CERTIFICATE.simulation((object, before) -> Map.of("a", text(object, "duration"))))
            .runs(30)
            .run();

    result.assertPassed();
    assertThat(result.tried()).isPositive().isLessThan(result.fields());
    assertThat(result.notReached())
        .contains("spec.subject")
        .doesNotContain("spec.subject.countries");
    assertThat(result.withoutEffect())
        .contains("spec.secretName")
        .doesNotContain("spec.duration", "spec.subject");
    assertThat(result.toString()).contains("not reached: spec.subject");
  }

  @Test
  void start_thatFailsWithoutAChange_isTheOnlyFinding() {
    ExplorationResult failing =
        TOPIC.exploration(TOPIC.simulation((topic, before) -> with(before, null))).run();
    ExplorationResult leaking =
        TOPIC.exploration(TOPIC.simulation((topic, before) -> Map.of(CustomKind.ORPHAN, ""))).run();

    for (ExplorationResult result : List.of(failing, leaking)) {
      assertThat(result.findings()).extracting(Finding::change).containsExactly("{}");
      assertThat(result.changes()).isZero();
      assertThatThrownBy(result::assertPassed).hasMessageContaining("Change {} breaks");
    }
  }

  @Test
  void kindWithoutADefinition_isNamed() {
    ControllerSimulation simulation =
        TOPIC.simulation((topic, before) -> Map.of()).outside("a controller does nothing");
    Exploration exploration =
        simulation.explore(ConfigMap.TYPE, ConfigMap.of("default", "a", map -> {}));

    assertThatThrownBy(exploration::run)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("install configmaps. in prepare");
  }
}
