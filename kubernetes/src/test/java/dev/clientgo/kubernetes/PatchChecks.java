package dev.clientgo.kubernetes;

import static dev.clientgo.kubernetes.Checks.NAMESPACE;
import static dev.clientgo.kubernetes.Checks.configMaps;
import static dev.clientgo.kubernetes.Checks.pods;
import static dev.clientgo.kubernetes.Checks.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.apimachinery.meta.LabelSelector;
import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.apimachinery.meta.options.CreateOptions;
import dev.clientgo.apimachinery.patch.JsonPatch;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.CauseType;
import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.apimachinery.status.StatusReason;
import dev.clientgo.kubernetes.core.v1.Binding;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.policy.v1.Eviction;
import dev.clientgo.kubernetes.policy.v1.PodDisruptionBudget;
import dev.clientgo.rest.Scale;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Changing a part of an object, and its subresources. */
final class PatchChecks {

  private PatchChecks() {}

  static void addTo(Map<String, Checks.Check> all) {
    all.put("patch-json", PatchChecks::json);
    all.put("patch-json-test-failed-422", PatchChecks::jsonTestFailed);
    all.put("patch-merge", PatchChecks::merge);
    all.put("patch-strategic", PatchChecks::strategic);
    all.put("patch-immutable-422", PatchChecks::immutable);
    all.put("apply-create", PatchChecks::apply);
    all.put("apply-conflict-409", PatchChecks::applyConflict);
    all.put("apply-force", PatchChecks::applyForce);
    all.put("deployment-scale-get", PatchChecks::scale);
    all.put("deployment-scale-patch", PatchChecks::scalePatch);
    all.put("pdb", PatchChecks::budget);
    all.put("eviction-429-or-201", PatchChecks::eviction);
    all.put("eviction-pending-201", it -> evict(it, it.segment(5)));
    all.put("eviction-unprocessed-429", PatchChecks::evictionUnprocessed);
    all.put("pod-binding", PatchChecks::binding);
    all.put("pod-status-patch", PatchChecks::podStatus);
  }

  private static void json(Replay it) throws InterruptedException {
    Patch patch = Patch.json(JsonPatch.builder().add("/data/j", "1").build());

    ConfigMap patched = configMaps(it).patch("wire-a", patch);

    assertThat(patched.data()).containsEntry("j", "1").containsEntry("k", "v");
  }

  private static void jsonTestFailed(Replay it) {
    Patch patch = Patch.json(JsonPatch.builder().test("/data/j", "2").build());

    ApiStatusException error =
        refused(422, StatusReason.INVALID, () -> configMaps(it).patch("wire-a", patch));

    assertThat(error.isInvalid()).isTrue();
    assertThat(error.status().details()).isNotNull();
  }

  private static void merge(Replay it) throws InterruptedException {
    Map<String, @Nullable Object> data = new HashMap<>();
    data.put("j", null);
    data.put("m", "2");

    ConfigMap patched = configMaps(it).patch("wire-a", Patch.merge(Map.of("data", data)));

    assertThat(patched.data()).containsEntry("m", "2").doesNotContainKey("j");
  }

  private static void strategic(Replay it) throws InterruptedException {
    Patch patch = Patch.strategicMerge(Map.of("metadata", Map.of("labels", Map.of("s", "3"))));

    ConfigMap patched = configMaps(it).patch("wire-a", patch);

    assertThat(patched.metadata().labels()).isEqualTo(Map.of("app", "wire", "s", "3"));
  }

  private static void immutable(Replay it) {
    Patch patch = Patch.merge(Map.of("data", Map.of("k", "other")));

    ApiStatusException error =
        refused(
            422,
            StatusReason.INVALID,
            () -> it.clients().core().v1().configMaps("kube-public").patch("wire-fixed", patch));

    assertThat(error.status().details().causes())
        .extracting(StatusCause::field, StatusCause::reason)
        .containsExactly(tuple("data", CauseType.FORBIDDEN));
  }

  /* --------------- Apply --------------- */

  private static ConfigMap owned(String value) {
    return ConfigMap.of(
        map ->
            map.editMetadata(meta -> meta.name("wire-ssa"))
                .editData(data -> data.put("owned", value)));
  }

  private static void apply(Replay it) throws InterruptedException {
    ConfigMap applied = configMaps(it).apply(owned("1"), ApplyOptions.of("one"));

    assertOwner(applied, "one");
    assertThat(applied.data()).isEqualTo(Map.of("owned", "1"));
  }

  private static void applyForce(Replay it) throws InterruptedException {
    ConfigMap applied = configMaps(it).apply(owned("2"), ApplyOptions.of("two").force());

    assertOwner(applied, "two");
    assertThat(applied.data()).isEqualTo(Map.of("owned", "2"));
  }

  private static void assertOwner(ConfigMap applied, String manager) {
    assertThat(applied.metadata().managedFields())
        .extracting(entry -> entry.manager(), entry -> entry.operation())
        .containsExactly(tuple(manager, "Apply"));
    assertThat(applied.metadata().managedFields().get(0).fieldsV1().toString())
        .isEqualTo("{\"f:data\":{\"f:owned\":{}}}");
  }

  private static void applyConflict(Replay it) {
    ApiStatusException error =
        refused(
            409,
            StatusReason.CONFLICT,
            () -> configMaps(it).apply(owned("2"), ApplyOptions.of("two")));

    assertThat(error.isConflict()).isTrue();
    assertThat(error.status().details().causes())
        .containsExactly(
            new StatusCause(
                CauseType.FIELD_MANAGER_CONFLICT, "conflict with \"one\"", ".data.owned"));
  }

  /* --------------- Subresources --------------- */

  private static void scale(Replay it) throws InterruptedException {
    Scale scale = it.clients().apps().v1().deployments(NAMESPACE).scale().get("web");

    assertThat(scale.replicas()).isEqualTo(3);
    assertThat(scale.status()).isEqualTo(new Scale.Status(3, "app=web"));
  }

  private static void scalePatch(Replay it) throws InterruptedException {
    Scale scale =
        it.clients()
            .apps()
            .v1()
            .deployments(NAMESPACE)
            .scale()
            .patch("web", Patch.merge(Map.of("spec", Map.of("replicas", 2))));

    assertThat(scale.replicas()).isEqualTo(2);
  }

  private static void budget(Replay it) throws InterruptedException {
    PodDisruptionBudget created =
        it.clients()
            .policy()
            .v1()
            .podDisruptionBudgets(NAMESPACE)
            .create(
                PodDisruptionBudget.of(
                    budget ->
                        budget
                            .editMetadata(meta -> meta.name("web"))
                            .editSpec(
                                spec ->
                                    spec.minAvailable(IntOrString.of(3))
                                        .selector(new LabelSelector(Map.of("app", "web"), null)))));

    assertThat(created.spec().minAvailable()).isEqualTo(IntOrString.of(3));
    assertThat(created.status().disruptionsAllowed()).isZero();
  }

  private static Eviction eviction(String pod) {
    return Eviction.of(eviction -> eviction.editMetadata(meta -> meta.name(pod)));
  }

  private static void evict(Replay it, String pod) throws InterruptedException {
    pods(it).subresource("eviction", Eviction.CODEC).submit(pod, eviction(pod), CreateOptions.NONE);
  }

  private static void eviction(Replay it) throws InterruptedException {
    String pod = it.segment(5);
    if (!it.isError()) {
      evict(it, pod);
      return;
    }
    ApiStatusException error = refused(429, StatusReason.TOO_MANY_REQUESTS, () -> evict(it, pod));

    assertThat(error.isTooManyRequests()).isTrue();
    assertThat(error.hasStatusCause("DisruptionBudget")).isTrue();
    assertThat(error.retryAfter()).isEmpty();
    assertThat(error).hasMessageContaining("would violate the pod's disruption budget");
  }

  /** The server asks us to come back, which would take its time. */
  private static void evictionUnprocessed(Replay it) {
    String pod = it.segment(5);
    ApiStatusException error =
        refused(
            429,
            StatusReason.TOO_MANY_REQUESTS,
            () ->
                it.client()
                    .post()
                    .absPath("/api/v1/namespaces/default/pods", pod, "eviction")
                    .body(Eviction.CODEC, eviction(pod))
                    .maxRetries(0)
                    .execute());

    assertThat(error.retryAfter()).contains(Duration.ofSeconds(10));
    assertThat(error.statusCause("DisruptionBudget"))
        .hasValueSatisfying(cause -> assertThat(cause.message()).contains("still being processed"));
  }

  private static void binding(Replay it) throws InterruptedException {
    String pod = it.segment(5);
    pods(it)
        .subresource("binding", Binding.CODEC)
        .submit(
            pod,
            Binding.of(
                binding ->
                    binding
                        .editMetadata(meta -> meta.name(pod))
                        .editTarget(target -> target.kind("Node").name("node-1"))),
            CreateOptions.NONE);
  }

  private static void podStatus(Replay it) throws InterruptedException {
    Map<String, Object> status =
        Map.of(
            "phase",
            "Running",
            "podIP",
            "10.0.0.2",
            "podIPs",
            List.of(Map.of("ip", "10.0.0.2")),
            "startTime",
            "2026-01-01T00:00:00Z",
            "conditions",
            List.of(
                Map.of(
                    "type", "Ready",
                    "status", "True",
                    "lastTransitionTime", "2026-01-01T00:00:01Z")),
            "containerStatuses",
            List.of(
                Map.of(
                    "name",
                    "web",
                    "ready",
                    true,
                    "restartCount",
                    1,
                    "image",
                    "registry.example.com/web:1",
                    "imageID",
                    "",
                    "state",
                    Map.of("running", Map.of("startedAt", "2026-01-01T00:00:01Z")))));

    Pod pod =
        pods(it).status().patch(it.segment(5), Patch.strategicMerge(Map.of("status", status)));

    assertThat(pod.status().phase().value()).isEqualTo("Running");
    assertThat(pod.spec().nodeName()).isEqualTo("node-1");
    assertThat(pod.status().containerStatuses().get(0).state().running().startedAt())
        .hasToString("2026-01-01T00:00:01Z");
  }
}
