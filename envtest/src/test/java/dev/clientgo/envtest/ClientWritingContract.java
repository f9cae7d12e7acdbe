package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.apimachinery.meta.options.CreateOptions;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.FieldValidation;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.meta.options.PatchOptions;
import dev.clientgo.apimachinery.meta.options.UpdateOptions;
import dev.clientgo.apimachinery.patch.JsonPatch;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.Retry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Creates and changes through this library's client. */
abstract class ClientWritingContract extends OurClient {

  private static final Patch NOTHING = Patch.merge(Map.of());

  /* --------------- Dry run --------------- */

  @ParameterizedTest
  @EnumSource
  void dryRun_answers_andStoresNothing(Kind kind) throws Exception {
    ResourceClient<Unstructured> objects = of(kind);
    CreateOptions dryCreate = CreateOptions.builder().dryRun(true).build();
    PatchOptions dryPatch = PatchOptions.builder().dryRun(true).build();

    assertThat(objects.create(kind.object("a", "1"), dryCreate).metadata().uid()).isNotEmpty();
    assertThat(value(objects.apply(kind.object("a", "1"), ApplyOptions.of("me").dryRun())))
        .isEqualTo("1");
    assertThat(refused(404, () -> objects.get("a")).isNotFound()).isTrue();

    Unstructured created = objects.create(kind.object("a", "1"));
    Unstructured changed = created.with("2", "data", "k");
    assertThat(value(objects.update(changed, UpdateOptions.builder().dryRun(true).build())))
        .isEqualTo("2");
    assertThat(value(objects.patch("a", Patch.merge(changed("3")), dryPatch))).isEqualTo("3");
    assertThat(value(objects.edit("a", it -> it.with("4", "data", "k"), dryPatch))).isEqualTo("4");
    ApplyOptions dryApply = ApplyOptions.of("me").force().dryRun();
    assertThat(value(objects.apply(kind.object("a", "5"), dryApply))).isEqualTo("5");
    objects.delete("a", DeleteOptions.builder().dryRun(true).build());
    objects.deleteCollection(ListOptions.NONE, DeleteOptions.builder().dryRun(true).build());
    assertThat(objects.get("a")).isEqualTo(created);
  }

  private static Map<String, ?> changed(String value) {
    return Map.of("data", Map.of("k", value));
  }

  /* --------------- Field validation --------------- */

  private static CreateOptions creating(FieldValidation validation) {
    return CreateOptions.builder().fieldValidation(validation).build();
  }

  private static PatchOptions patching(FieldValidation validation) {
    return PatchOptions.builder().fieldValidation(validation).build();
  }

  private static Unstructured withUnknownFields(String name) {
    return Kind.CUSTOM
        .object(name, "1")
        .with("x", "nope")
        .with(List.of(Map.of("a", "1"), Map.of("a", "2", "b", "3")), "data", "list");
  }

  @Test
  void unknownFields_causeWarnings_unlessIgnored() throws Exception {
    ResourceClient<Unstructured> notes = of(Kind.CUSTOM);

    Unstructured created = notes.create(withUnknownFields("a"));

    assertThat(created.nested("nope")).isEmpty();
    assertThat(warnings)
        .containsExactly("unknown field \"data.list[1].b\"", "unknown field \"nope\"");
    warnings.clear();
    notes.create(withUnknownFields("b"), creating(FieldValidation.WARN));
    notes.patch("a", Patch.merge(Map.of("data", Map.of("oops", 1))));
    notes.update(created.with("x", "data", "dear"));
    assertThat(warnings)
        .containsExactly(
            "unknown field \"data.list[1].b\"",
            "unknown field \"nope\"",
            "unknown field \"data.oops\"",
            "unknown field \"data.dear\"");
    warnings.clear();
    notes.create(withUnknownFields("c"), creating(FieldValidation.IGNORE));
    notes.patch("a", Patch.merge(Map.of("nope", 1)), patching(FieldValidation.IGNORE));
    assertThat(warnings).isEmpty();
  }

  @Test
  void unknownFields_strictValidation_areRefused() throws Exception {
    ResourceClient<Unstructured> notes = of(Kind.CUSTOM);
    Unstructured created = notes.create(Kind.CUSTOM.object("a", "1"));
    UpdateOptions strict = UpdateOptions.builder().fieldValidation(FieldValidation.STRICT).build();

    assertThat(
            refused(
                400, () -> notes.create(withUnknownFields("b"), creating(FieldValidation.STRICT))))
        .hasMessageContaining(
            "Note in version \"v1\" cannot be handled as a Note: strict decoding error: unknown"
                + " field \"data.list[1].b\", unknown field \"nope\"");
    assertThat(refused(400, () -> notes.update(created.with("x", "data", "oops"), strict)))
        .hasMessageContaining("strict decoding error: unknown field \"data.oops\"");
    assertThat(
            refused(
                422,
                () ->
                    notes.patch(
                        "a",
                        Patch.merge(Map.of("data", Map.of("oops", 1))),
                        patching(FieldValidation.STRICT))))
        .hasMessageContaining("strict decoding error: unknown field \"data.oops\"");
    assertThat(
            refused(
                422,
                () ->
                    notes
                        .status()
                        .patch(
                            "a",
                            Patch.merge(Map.of("status", Map.of("oops", 1))),
                            patching(FieldValidation.STRICT))))
        .hasMessageContaining("strict decoding error: unknown field \"status.oops\"");
    assertThat(
            notes.create(Kind.CUSTOM.object("c", "1"), creating(FieldValidation.STRICT)).metadata())
        .isNotNull();
    assertThat(warnings).isEmpty();
  }

  /* --------------- Names, namespaces and sizes --------------- */

  @ParameterizedTest
  @EnumSource
  void generateName_createsUnusedNames(Kind kind) throws Exception {
    ResourceClient<Unstructured> objects = of(kind);
    Unstructured unnamed =
        kind.object("", "1").withMetadata(ObjectMeta.builder().generateName("g-").build());

    String first = nameOf(objects.create(unnamed));
    String second = nameOf(objects.create(unnamed));

    assertThat(first).startsWith("g-").hasSize(7).isNotEqualTo(second);
    assertThat(second).startsWith("g-");
    assertThatThrownBy(() -> objects.update(unnamed)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @EnumSource
  void name_invalidCharacters_isInvalid(Kind kind) {
    ResourceClient<Unstructured> objects = of(kind);
    for (String name : List.of("a b", "A", "-a", "a..b", "a?b", "é", "a".repeat(254))) {
      assertThat(refused(422, () -> objects.create(kind.object(name, "1"))).isInvalid()).isTrue();
      assertThat(refused(404, () -> objects.get(name)).isNotFound()).isTrue();
    }
    for (String name : List.of("a/b", "a%2Fb", "..")) {
      assertThat(refused(422, () -> objects.create(kind.object(name, "1"))).isInvalid()).isTrue();
      assertThatThrownBy(() -> objects.get(name)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** Role names may contain every character that a path segment may contain. */
  @Test
  void roleName_allowsUnusualCharacters() throws Exception {
    ResourceClient<Unstructured> roles = of("rbac.authorization.k8s.io", "roles");
    String name = "system:a b?c#d&e=f+ü;,@\"\\|<>";
    Unstructured role =
        json("{'apiVersion':'rbac.authorization.k8s.io/v1','kind':'Role','rules':[]}")
            .withMetadata(ObjectMeta.builder().name(name).build());

    Unstructured created = roles.create(role);

    assertThat(created.metadata().name()).isEqualTo(name);
    assertThat(roles.get(name)).isEqualTo(created);
    assertThat(roles.patch(name, NOTHING)).isEqualTo(created);
    ListOptions sameName = ListOptions.builder().labelSelector("none=such").build();
    assertThat(roles.list(sameName).items()).isEmpty();
    roles.delete(name);
    refused(404, () -> roles.get(name));
  }

  @Test
  void largeObject_isStored_tooLargeObject_isRefused() throws Exception {
    ResourceClient<Unstructured> maps = of(Kind.BUILT_IN);
    String large = "x".repeat((1 << 20) - 10);
    String tooLarge = "x".repeat(3 << 20);

    maps.create(Kind.BUILT_IN.object("a", large));

    assertThat(value(maps.get("a"))).isEqualTo(large);
    assertThat(
            refused(413, () -> maps.create(Kind.BUILT_IN.object("b", tooLarge)))
                .isRequestEntityTooLarge())
        .isTrue();
    assertThat(
            refused(413, () -> maps.patch("a", Patch.merge(changed(tooLarge))))
                .isRequestEntityTooLarge())
        .isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void namespace_missing_isNotFound(Kind kind) {
    ResourceClient<Unstructured> nowhere = client.dynamic(kind.resource()).inNamespace("nowhere");

    assertThat(refused(404, () -> nowhere.create(kind.object("a", "1"))))
        .hasMessageContaining("namespaces \"nowhere\" not found");
    assertThat(refused(404, () -> nowhere.apply(kind.object("a", "1"), ApplyOptions.of("me"))))
        .hasMessageContaining("namespaces \"nowhere\" not found");
    assertThat(refused(404, () -> nowhere.get("a"))).hasMessageContaining("\"a\" not found");
  }

  @Test
  void clusterScopedKind_hasNoNamespace() throws Exception {
    GroupVersionKind kind = new GroupVersionKind("", "v1", "Node");
    ResourceClient<Unstructured> nodes = client.resource(Unstructured.type(kind, "nodes", false));
    Unstructured node = json("{'apiVersion':'v1','kind':'Node','metadata':{'namespace':'x'}}");
    String name = namespace + "-node";
    Unstructured placed = node.withMetadata(node.metadata().toBuilder().name(name).build());

    assertThatThrownBy(() -> nodes.inNamespace("x")).isInstanceOf(IllegalArgumentException.class);
    assertThat(nodes.create(placed).metadata().namespace()).isNull();
    nodes.delete(name);
    ResourceClient<Unstructured> untyped =
        client.dynamic(new GroupVersionResource("", "v1", "nodes")).inNamespace("x");
    refused(404, () -> untyped.list(ListOptions.NONE));
    refused(404, () -> untyped.get(name));
  }

  /* --------------- Patches and conflicts --------------- */

  @ParameterizedTest
  @EnumSource
  void patch_empty_keepsTheVersion(Kind kind) throws Exception {
    ResourceClient<Unstructured> objects = of(kind);
    Unstructured created = objects.create(kind.object("a", "1"));

    assertThat(objects.patch("a", NOTHING)).isEqualTo(created);
    assertThat(objects.patch("a", Patch.json(new JsonPatch(List.of())))).isEqualTo(created);
    assertThat(objects.edit("a", it -> it)).isEqualTo(created);
    assertThat(objects.update(created)).isEqualTo(created);
  }

  @ParameterizedTest
  @EnumSource
  void patch_missingObject_isNotFound(Kind kind) {
    ResourceClient<Unstructured> objects = of(kind);

    refused(404, () -> objects.patch("no", NOTHING));
    refused(404, () -> objects.patch("no", Patch.json(new JsonPatch(List.of()))));
    refused(404, () -> objects.edit("no", it -> it));
    refused(404, () -> objects.status().patch("no", NOTHING));
  }

  @ParameterizedTest
  @EnumSource
  void jsonPatch_withTest_isAppliedOnce(Kind kind) throws Exception {
    ResourceClient<Unstructured> objects = of(kind);
    objects.create(kind.object("a", "1"));
    Patch patch =
        Patch.json(JsonPatch.builder().test("/data/k", "1").replace("/data/k", "2").build());

    assertThat(value(objects.patch("a", patch))).isEqualTo("2");
    assertThat(refused(422, () -> objects.patch("a", patch)).isInvalid()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void retryOnConflict_concurrentWriters_succeeds(Kind kind) throws Exception {
    ResourceClient<Unstructured> objects = of(kind);
    objects.create(kind.object("a", "1"));
    AtomicInteger attempts = new AtomicInteger();

    Unstructured updated =
        Retry.onConflict()
            .run(
                () -> {
                  Unstructured read = objects.get("a");
                  if (attempts.incrementAndGet()
                      < 3) { // Another client changes the object first, twice.
                    objects.patch("a", Patch.merge(changed("other-" + attempts)));
                  }
                  return objects.update(read.with("mine", "data", "k"));
                });

    assertThat(value(updated)).isEqualTo("mine");
    assertThat(attempts).hasValue(3);
  }

  @ParameterizedTest
  @EnumSource
  void edit_concurrentWriter_keepsItsChange(Kind kind) throws Exception {
    ResourceClient<Unstructured> objects = of(kind);
    objects.create(kind.object("a", "1"));
    AtomicInteger attempts = new AtomicInteger();

    Unstructured edited =
        objects.edit(
            "a",
            it -> {
              if (attempts.incrementAndGet() == 1) {
                api().mergePatch(path(kind) + "/a", "{'data':{'other':'kept'}}");
              }
              return it.with("mine", "data", "k");
            });

    assertThat(attempts).hasValue(2);
    assertThat(value(edited)).isEqualTo("mine");
    assertThat(edited.nestedString("data", "other")).contains("kept");
  }

  private String path(Kind kind) {
    return kind == Kind.BUILT_IN
        ? configMaps()
        : "/apis/client.example.com/v1/namespaces/" + namespace + "/notes";
  }

  /* --------------- Apply --------------- */

  @ParameterizedTest
  @EnumSource
  void apply_conflict_isNamed_andCanBeForced(Kind kind) throws Exception {
    ResourceClient<Unstructured> objects = of(kind);
    objects.apply(kind.object("a", "1"), ApplyOptions.of("me"));

    assertThat(
            refused(409, () -> objects.apply(kind.object("a", "2"), ApplyOptions.of("you")))
                .status()
                .message())
        .isEqualTo("Apply failed with 1 conflict: conflict with \"me\": .data.k");
    assertThat(value(objects.apply(kind.object("a", "2"), ApplyOptions.of("you").force())))
        .isEqualTo("2");
    assertThat(refused(409, () -> objects.apply(kind.object("a", "1"), ApplyOptions.of("me"))))
        .hasMessageContaining("conflict with \"you\"");
  }

  @ParameterizedTest
  @EnumSource
  void apply_omitsAnOwnedField_removesIt(Kind kind) throws Exception {
    ResourceClient<Unstructured> objects = of(kind);
    Unstructured both = kind.object("a", "1").with("2", "data", "other");
    objects.apply(both, ApplyOptions.of("me"));
    objects.apply(kind.object("a", "1"), ApplyOptions.of("you"));

    Unstructured one =
        objects.apply(
            kind.object("a", "1").without("data", "k").with("2", "data", "other"),
            ApplyOptions.of("me"));
    Unstructured none = objects.apply(kind.object("a", "1").without("data"), ApplyOptions.of("me"));

    assertThat(value(one)).as("the other one still wants it").isEqualTo("1");
    assertThat(none.nestedString("data", "other")).isEmpty();
    assertThat(value(none)).isEqualTo("1");
  }

  @Test
  void customStatus_isAppliedAndReplaced() throws Exception {
    ResourceClient<Unstructured> notes = of(Kind.CUSTOM);
    Unstructured created = notes.create(Kind.CUSTOM.object("a", "1").with(7L, "status", "seen"));
    Unstructured configuration =
        Kind.CUSTOM.object("a", "").without("data").with(1L, "status", "seen");

    assertThat(created.nested("status")).isEmpty();
    Unstructured applied = notes.applyStatus(configuration, ApplyOptions.of("me"));
    assertThat(applied.nestedLong("status", "seen")).contains(1L);
    assertThat(value(applied)).isEqualTo("1");
    assertThat(notes.updateStatus(applied.with(2L, "status", "seen")).nestedLong("status", "seen"))
        .contains(2L);
    assertThat(notes.update(notes.get("a").with(3L, "status", "seen")).nestedLong("status", "seen"))
        .contains(2L);
  }
}
