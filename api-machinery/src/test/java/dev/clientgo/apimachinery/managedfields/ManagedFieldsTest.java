package dev.clientgo.apimachinery.managedfields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.meta.ManagedFieldsEntry;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ManagedFieldsTest {

  private static final String HEAD =
      "\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"web\","
          + "\"namespace\":\"default\"";

  /** Upstream: TestExtractInto, "unstructured, no matching manager". */
  @Test
  void extract_ofAStranger_identifiesTheObjectAndNoMore() {
    Unstructured object =
        object("{\"replicas\":1}", applied("mgr999", "{\"f:spec\":{\"f:replicas\":{}}}", null));

    assertThat(extract(object, "mgr1")).isEqualTo(Unstructured.parse("{" + HEAD + "}}"));
    assertThat(ManagedFields.applied(object, "mgr1")).isEmpty();
  }

  /**
   * Upstream: TestExtractInto, "unstructured, one manager" and "unstructured, multiple manager".
   */
  @Test
  void extract_ofAManager_keepsWhatItOwns() {
    Unstructured object =
        object(
            "{\"replicas\":1,\"paused\":true}",
            applied("mgr1", "{\"f:spec\":{\"f:replicas\":{}}}", null),
            applied("mgr2", "{\"f:spec\":{\"f:paused\":{}}}", null));

    assertThat(extract(object, "mgr1")).isEqualTo(configuration("{\"replicas\":1}"));
    assertThat(extract(object, "mgr2")).isEqualTo(configuration("{\"paused\":true}"));
  }

  /** Upstream: TestExtractInto, "subresource". */
  @Test
  void extract_ofASubresource_takesItsEntry() {
    Unstructured object =
        object("{\"replicas\":1}", applied("mgr1", "{\"f:status\":{\"f:replicas\":{}}}", "status"))
            .with(3, "status", "replicas");

    Unstructured status = ManagedFields.extract(Unstructured.CODEC, object, "mgr1", "status");

    assertThat(status.nestedLong("status", "replicas")).contains(3L);
    assertThat(status.nested("spec")).isEmpty();
    assertThat(extract(object, "mgr1").nested("status")).isEmpty();
  }

  @Test
  void extract_ofUpdates_keepsNothing() {
    Unstructured object =
        object(
            "{\"replicas\":1}",
            applied("mgr1", "{\"f:spec\":{\"f:replicas\":{}}}", null).toBuilder()
                .operation(ManagedFields.UPDATE)
                .build());

    assertThat(extract(object, "mgr1").nested("spec")).isEmpty();
  }

  @Test
  void extract_ofLists_findsElementsByKeyValueAndPlace() {
    Unstructured object =
        object(
            "{\"containers\":[{\"name\":\"a\",\"image\":\"i\"},{\"name\":\"b\",\"image\":\"j\","
                + "\"ports\":[{\"containerPort\":80,\"protocol\":\"TCP\"},"
                + "{\"containerPort\":80,\"protocol\":\"UDP\"}]}],"
                + "\"set\":[\"x\",\"y\",null,1],\"places\":[\"p\",\"q\"]}",
            applied(
                "mgr1",
                "{\"f:spec\":{\"f:containers\":{\"k:{\\\"name\\\":\\\"b\\\"}\":{\".\":{},"
                    + "\"f:name\":{},\"f:ports\":{"
                    + "\"k:{\\\"containerPort\\\":80,\\\"protocol\\\":\\\"UDP\\\"}\":{\".\":{},"
                    + "\"f:containerPort\":{}}}}},"
                    + "\"f:set\":{\"v:\\\"y\\\"\":{},\"v:null\":{},\"v:1\":{}},"
                    + "\"f:places\":{\"i:1\":{}}}}",
                null));

    assertThat(extract(object, "mgr1"))
        .isEqualTo(
            configuration(
                "{\"containers\":[{\"name\":\"b\",\"ports\":[{\"containerPort\":80}]}],"
                    + "\"set\":[\"y\",null,1],\"places\":[\"q\"]}"));
  }

  @Test
  void extract_ofMetadata_keepsItsOwnLabels() {
    Unstructured object =
        object(
                "{}",
                applied("mgr1", "{\"f:metadata\":{\"f:labels\":{\"f:app.io/name\":{}}}}", null))
            .with("web", "metadata", "labels", "app.io/name")
            .with("front", "metadata", "labels", "tier");

    Unstructured mine = extract(object, "mgr1");

    assertThat(mine.metadata().labels()).containsOnlyKeys("app.io/name");
    assertThat(mine.metadata().managedFields()).isEmpty();
    assertThat(mine.metadata().name()).isEqualTo("web");
    assertThat(mine.nested("spec")).isEmpty();
  }

  /** A value that is owned as a whole has no owners within; a shared one has. */
  @Test
  void extract_ofAPathThatGoesNoDeeper_keepsItWholeUnlessOthersOwnWhatIsInIt() {
    Unstructured object =
        object(
            "{\"selector\":{\"matchLabels\":{\"app\":\"web\"}},\"data\":{\"k\":\"v\"},"
                + "\"list\":[{\"name\":\"a\"}],\"gone\":null}",
            applied(
                "mgr1",
                "{\"f:spec\":{\"f:selector\":{},\"f:data\":{},\"f:list\":{},\"f:gone\":{},"
                    + "\"f:never\":{}}}",
                null),
            applied(
                "mgr2",
                "{\"f:spec\":{\"f:data\":{\"f:k\":{}},\"f:list\":{"
                    + "\"k:{\\\"name\\\":\\\"a\\\"}\":{\".\":{}}}}}",
                null));

    assertThat(extract(object, "mgr1"))
        .isEqualTo(
            configuration(
                "{\"selector\":{\"matchLabels\":{\"app\":\"web\"}},\"data\":{},\"list\":[],"
                    + "\"gone\":null}"));
  }

  @Test
  void extract_ofAnotherType_givesThatType() {
    PartialObjectMetadata object =
        PartialObjectMetadata.of(
            object("{}", applied("mgr1", "{\"f:metadata\":{\"f:labels\":{\"f:a\":{}}}}", null))
                .with("b", "metadata", "labels", "a")
                .with("d", "metadata", "labels", "c"));

    PartialObjectMetadata mine = ManagedFields.extract(PartialObjectMetadata.CODEC, object, "mgr1");

    assertThat(mine.metadata().labels()).containsOnlyKeys("a");
    assertThat(mine.kind()).isEqualTo("Deployment");
  }

  @Test
  void extract_ofWhatCannotBeRead_fails() {
    Unstructured object = object("{}", applied("mgr1", "{\"nonsense\":{}}", null));

    assertThatExceptionOfType(CodecException.class).isThrownBy(() -> extract(object, "mgr1"));
    assertThat(extract(object, "mgr2").nested("spec")).isEmpty();
  }

  /** Upstream: TestFindOwners of util/csaupgrade. */
  @Test
  void owners_areThoseThatOwnAllOfTheFields() {
    String lastApplied = "kubectl.kubernetes.io/last-applied-configuration";
    String annotation =
        "\"f:metadata\":{\"f:annotations\":{\".\":{},\"f:" + lastApplied + "\":{}}}";
    String data = "\"f:data\":{\".\":{},\"f:key\":{},\"f:legacy\":{}}";
    Unstructured object =
        object(
            "{}",
            updated("kubectl-client-side-apply", "{" + annotation + "}"),
            applied("kubectl", "{" + annotation + "," + data + "}", null),
            updated("kubectl-client-side-apply2", "{" + annotation + "," + data + "}"),
            updated("broken", "[]"));
    FieldSet field =
        FieldSet.of(
            new PathElement.Field("metadata"),
            new PathElement.Field("annotations"),
            new PathElement.Field(lastApplied));
    FieldSet both =
        field.union(FieldSet.of(new PathElement.Field("data"), new PathElement.Field("key")));
    FieldSet whole = FieldSet.of(new PathElement.Field("data"));

    assertThat(owners(object, ManagedFields.UPDATE, field))
        .containsExactly("kubectl-client-side-apply", "kubectl-client-side-apply2");
    assertThat(owners(object, ManagedFields.UPDATE, both))
        .containsExactly("kubectl-client-side-apply2");
    assertThat(owners(object, ManagedFields.APPLY, field)).containsExactly("kubectl");
    assertThat(owners(object, ManagedFields.APPLY, whole)).containsExactly("kubectl");
    assertThat(owners(object, ManagedFields.APPLY, FieldSet.of(new PathElement.Field("spec"))))
        .isEmpty();
  }

  private static List<String> owners(Unstructured object, String operation, FieldSet fields) {
    return ManagedFields.owners(object, operation, fields).stream()
        .map(ManagedFieldsEntry::manager)
        .toList();
  }

  private static Unstructured extract(Unstructured object, String manager) {
    return ManagedFields.extract(Unstructured.CODEC, object, manager);
  }

  private static Unstructured configuration(String spec) {
    return Unstructured.parse("{" + HEAD + "},\"spec\":" + spec + "}");
  }

  static Unstructured object(String spec, ManagedFieldsEntry... entries) {
    Unstructured object = configuration(spec);
    return object.withMetadata(
        object.metadata().with(m -> m.uid("1").managedFields(List.of(entries))));
  }

  private static ManagedFieldsEntry updated(String manager, String fields) {
    return applied(manager, fields, null).toBuilder().operation(ManagedFields.UPDATE).build();
  }

  static ManagedFieldsEntry applied(String manager, String fields, String subresource) {
    return ManagedFieldsEntry.builder()
        .manager(manager)
        .operation(ManagedFields.APPLY)
        .apiVersion("v1")
        .fieldsType("FieldsV1")
        .fieldsV1(RawJson.of(fields))
        .subresource(subresource)
        .build();
  }
}
