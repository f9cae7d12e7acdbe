package dev.clientgo.kubernetes;

import static dev.clientgo.kubernetes.Checks.NAMESPACE;
import static dev.clientgo.kubernetes.Checks.configMap;
import static dev.clientgo.kubernetes.Checks.configMaps;
import static dev.clientgo.kubernetes.Checks.pods;
import static dev.clientgo.kubernetes.Checks.refused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.clientgo.apimachinery.meta.MicroTime;
import dev.clientgo.apimachinery.meta.options.CreateOptions;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.DeletionPropagation;
import dev.clientgo.apimachinery.meta.options.FieldValidation;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.meta.options.Preconditions;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.CauseType;
import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.apimachinery.status.StatusReason;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.kubernetes.authorization.v1.SelfSubjectAccessReview;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Creating, replacing and deleting. */
final class WriteChecks {

  private static final GroupVersionResource CONFIG_MAPS =
      new GroupVersion("", "v1").withResource("configmaps");

  private WriteChecks() {}

  static void addTo(Map<String, Checks.Check> all) {
    all.put("create-configmap", WriteChecks::create);
    all.put("create-dry-run", WriteChecks::dryRun);
    all.put("create-generate-name", WriteChecks::generateName);
    all.put("create-already-exists-409", WriteChecks::alreadyExists);
    all.put("create-bad-request-400", WriteChecks::badRequest);
    all.put("create-invalid-422", WriteChecks::invalid);
    all.put("create-unknown-field-strict-400", WriteChecks::strict);
    all.put("create-unknown-field-warning", WriteChecks::warning);
    all.put("create-in-terminating-namespace-403", WriteChecks::terminatingNamespace);
    all.put("update-conflict-409", WriteChecks::conflict);
    all.put("lease-create", WriteChecks::lease);
    all.put("self-subject-access-review", WriteChecks::accessReview);
    all.put("delete-precondition-409", WriteChecks::precondition);
    all.put("delete-background", WriteChecks::background);
    all.put("delete-namespace", it -> it.clients().core().v1().namespaces().delete("wire-gone"));
    all.put("delete-pod", it -> pods(it).delete(it.segment(5)));
    all.put(
        "delete-collection",
        it ->
            configMaps(it)
                .deleteCollection(ListOptions.builder().labelSelector("app=wire").build()));
  }

  private static void create(Replay it) throws InterruptedException {
    ConfigMap created = configMaps(it).create(configMap("wire-a"));

    assertThat(created.data()).isEqualTo(configMap("").data());
    assertThat(created.metadata().namespace()).isEqualTo(NAMESPACE);
    assertThat(created.metadata().uid()).hasSize(36);
    assertThat(Long.parseLong(created.metadata().resourceVersion())).isPositive();
    assertThat(created.metadata().creationTimestamp()).isNotNull();
    assertThat(created.metadata().managedFields())
        .extracting(entry -> entry.manager(), entry -> entry.operation())
        .containsExactly(tuple("record-wire", "Update"));
  }

  private static void dryRun(Replay it) throws InterruptedException {
    ConfigMap created =
        configMaps(it).create(configMap("wire-dry"), CreateOptions.builder().dryRun(true).build());

    assertThat(created.metadata().name()).isEqualTo("wire-dry");
    assertThat(created.metadata().resourceVersion()).isNull();
  }

  private static void generateName(Replay it) throws InterruptedException {
    ConfigMap created =
        configMaps(it)
            .create(ConfigMap.of(map -> map.editMetadata(meta -> meta.generateName("wire-gen-"))));

    assertThat(created.metadata().name()).startsWith("wire-gen-").hasSize("wire-gen-".length() + 5);
    assertThat(created.data()).isEmpty();
  }

  private static void alreadyExists(Replay it) {
    ApiStatusException error =
        refused(409, StatusReason.ALREADY_EXISTS, () -> configMaps(it).create(configMap("wire-a")));

    assertThat(error.isAlreadyExists()).isTrue();
    assertThat(error.isConflict()).isFalse();
    assertThat(error).hasMessage("configmaps \"wire-a\" already exists");
    assertThat(error.status().details().name()).isEqualTo("wire-a");
  }

  private static void badRequest(Replay it) {
    ApiStatusException error =
        refused(
            400,
            StatusReason.BAD_REQUEST,
            () ->
                it.client()
                    .post()
                    .absPath("/api/v1/namespaces/default/configmaps")
                    .body(
                        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":"
                            .getBytes(UTF_8),
                        "application/json")
                    .execute());

    assertThat(error.isBadRequest()).isTrue();
    assertThat(error).hasMessageContaining("unexpected end of JSON input");
  }

  private static void invalid(Replay it) {
    Pod pod =
        Pod.of(
            p ->
                p.editMetadata(meta -> meta.name("Bad_Name"))
                    .editSpec(s -> s.containers(List.of())));

    ApiStatusException error = refused(422, StatusReason.INVALID, () -> pods(it).create(pod));

    assertThat(error.isInvalid()).isTrue();
    assertThat(error.status().details().kind()).isEqualTo("Pod");
    assertThat(error.status().details().causes())
        .extracting(StatusCause::field, StatusCause::reason)
        .containsExactlyInAnyOrder(
            tuple("metadata.name", CauseType.FIELD_VALUE_INVALID),
            tuple("spec.containers", CauseType.FIELD_VALUE_REQUIRED));
  }

  private static Unstructured withUnknownField(String name) {
    return Unstructured.from(ConfigMap.CODEC, configMap(name)).with(1L, "nope");
  }

  private static void strict(Replay it) {
    CreateOptions strict = CreateOptions.builder().fieldValidation(FieldValidation.STRICT).build();

    ApiStatusException error =
        refused(
            400,
            StatusReason.BAD_REQUEST,
            () ->
                it.client()
                    .dynamic(CONFIG_MAPS)
                    .inNamespace(NAMESPACE)
                    .create(withUnknownField("wire-strict"), strict));

    assertThat(error).hasMessageEndingWith("strict decoding error: unknown field \"nope\"");
  }

  private static void warning(Replay it) throws InterruptedException {
    CreateOptions warn = CreateOptions.builder().fieldValidation(FieldValidation.WARN).build();
    List<String> warnings = new ArrayList<>();
    try (RESTClient client =
        RESTClient.builder(it.client().config())
            .warningHandler((code, agent, text) -> warnings.add(code + " " + text))
            .build()) {
      Unstructured created =
          client
              .dynamic(CONFIG_MAPS)
              .inNamespace(NAMESPACE)
              .create(withUnknownField("wire-warn"), warn);

      assertThat(created.nested("nope")).isEmpty();
      assertThat(warnings).containsExactly("299 unknown field \"nope\"");
    }
  }

  private static void terminatingNamespace(Replay it) {
    ApiStatusException error =
        refused(
            403,
            StatusReason.FORBIDDEN,
            () -> it.clients().core().v1().configMaps("wire-gone").create(configMap("wire-late")));

    assertThat(error.hasStatusCause("NamespaceTerminating")).isTrue();
  }

  private static void conflict(Replay it) {
    ConfigMap old =
        configMap("wire-a").with(m -> m.editMetadata(meta -> meta.resourceVersion("1")));

    ApiStatusException error =
        refused(409, StatusReason.CONFLICT, () -> configMaps(it).update(old));

    assertThat(error.isConflict()).isTrue();
    assertThat(error.isAlreadyExists()).isFalse();
    assertThat(error).hasMessageContaining("the object has been modified");
  }

  private static void lease(Replay it) throws InterruptedException {
    MicroTime now = MicroTime.parse("2026-11-20T10:00:00.123456Z");

    Lease created =
        it.clients()
            .coordination()
            .v1()
            .leases(NAMESPACE)
            .create(
                Lease.of(
                    lease ->
                        lease
                            .editMetadata(meta -> meta.name("wire"))
                            .editSpec(
                                spec ->
                                    spec.holderIdentity("a")
                                        .leaseDurationSeconds(15)
                                        .acquireTime(now)
                                        .renewTime(now)
                                        .leaseTransitions(0))));

    assertThat(created.spec().renewTime()).isEqualTo(now);
    assertThat(created.spec().leaseTransitions()).isZero();
  }

  private static void accessReview(Replay it) throws InterruptedException {
    SelfSubjectAccessReview answer =
        it.clients()
            .authorization()
            .v1()
            .selfSubjectAccessReviews()
            .create(
                SelfSubjectAccessReview.of(
                    review ->
                        review.editSpec(
                            spec ->
                                spec.editResourceAttributes(
                                    pods ->
                                        pods.verb("get").resource("pods").namespace(NAMESPACE)))));

    assertThat(answer.status().allowed()).isTrue();
  }

  private static void precondition(Replay it) {
    DeleteOptions options =
        DeleteOptions.builder().preconditions(Preconditions.ofUid("nope")).build();

    ApiStatusException error =
        refused(409, StatusReason.CONFLICT, () -> configMaps(it).delete("wire-a", options));

    assertThat(error.isConflict()).isTrue();
    assertThat(error).hasMessageContaining("the UID in the precondition (nope) does not match");
  }

  private static void background(Replay it) throws InterruptedException {
    configMaps(it)
        .delete(
            "wire-a",
            DeleteOptions.builder().propagationPolicy(DeletionPropagation.BACKGROUND).build());
  }
}
