package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Creates, reads and replaces objects. */
abstract class WritingContract extends Contract {

  @Test
  void create_object_getsTheServersFields() {
    Answer created = create("a");

    assertThat(created.at("kind")).isEqualTo("ConfigMap");
    assertThat(created.at("apiVersion")).isEqualTo("v1");
    assertThat(created.at("metadata", "namespace")).isEqualTo(namespace);
    assertThat(created.uid()).matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    assertThat(created.resourceVersion()).matches("[1-9][0-9]*");
    assertThat((String) created.at("metadata", "creationTimestamp"))
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
    assertThat(created.at("data", "k")).isEqualTo("v");
    assertThat(api().get(configMap("a")).json()).isEqualTo(created.json());
  }

  @Test
  void create_yaml_isAcceptedLikeJson() {
    String yaml =
        """
        # A comment.
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        data:
          k: "1"
        """;

    Answer created = api().send("POST", configMaps(), yaml, "Content-Type", "application/yaml");

    assertThat(created.code()).isEqualTo(201);
    assertThat(created.at("data", "k")).isEqualTo("1");
    assertThat(api().send("POST", configMaps(), "a: [", "Content-Type", "application/yaml").code())
        .isEqualTo(400);
  }

  @Test
  void create_serverOwnedFields_areIgnored() {
    Answer created =
        create(
            "a",
            ",'uid':'mine','creationTimestamp':'2000-01-01T00:00:00Z','selfLink':'x',"
                + "'deletionTimestamp':'2000-01-01T00:00:00Z','deletionGracePeriodSeconds':3");

    assertThat(created.uid()).isNotEqualTo("mine");
    assertThat(created.at("metadata", "creationTimestamp")).isNotEqualTo("2000-01-01T00:00:00Z");
    assertThat(created.at("metadata", "deletionTimestamp")).isNull();
    assertThat(created.at("metadata", "deletionGracePeriodSeconds")).isNull();
    assertThat(created.at("metadata", "selfLink")).isNull();
  }

  @Test
  void create_nullsAndEmptyMetadata_areRemoved() {
    Answer created =
        must(
            201,
            api()
                .post(
                    configMaps(),
                    "{'metadata':{'name':'a','labels':{},'annotations':null,'finalizers':[]},"
                        + "'data':null}"));

    assertThat(JsonTree.asObject(created.at("metadata")))
        .doesNotContainKeys("labels", "annotations", "finalizers");
    assertThat(created.json()).doesNotContainKey("data");
  }

  @Test
  void create_sameNameAgain_alreadyExists() {
    create("a");

    Answer again = api().post(configMaps(), "{'metadata':{'name':'a'}}");

    assertFailure(again, 409, "AlreadyExists", "configmaps \"a\" already exists");
    assertThat(again.at("details", "name")).isEqualTo("a");
    assertThat(again.at("details", "kind")).isEqualTo("configmaps");
  }

  @Test
  void create_sameNameWhileBeingDeleted_saysSo() {
    create("a", ",'finalizers':['example.com/x']");
    api().delete(configMap("a"));

    Answer again = api().post(configMaps(), "{'metadata':{'name':'a'}}");

    assertFailure(
        again, 409, "AlreadyExists", "object is being deleted: configmaps \"a\" already exists");
  }

  @Test
  void create_generateName_usesUpstreamsAlphabet() {
    Set<String> names = new HashSet<>();
    for (int i = 0; i < 5; i++) {
      Answer created = must(201, api().post(configMaps(), "{'metadata':{'generateName':'web-'}}"));
      names.add(created.name());
      assertThat(created.at("metadata", "generateName")).isEqualTo("web-");
    }

    assertThat(names)
        .hasSize(5)
        .allSatisfy(name -> assertThat(name).matches("web-[bcdfghjklmnpqrstvwxz2456789]{5}"));
  }

  @Test
  void create_longGenerateName_isCutTo63() {
    String base = "a".repeat(80);

    Answer created =
        must(201, api().post(configMaps(), "{'metadata':{'generateName':'" + base + "'}}"));

    assertThat(created.name()).hasSize(63).startsWith("a".repeat(58));
  }

  @Test
  void create_nameAndGenerateName_usesTheName() {
    assertThat(create("a", ",'generateName':'b-'").name()).isEqualTo("a");
  }

  @Test
  void create_resourceVersion_isRefused() {
    Answer answer = api().post(configMaps(), "{'metadata':{'name':'a','resourceVersion':'5'}}");

    assertThat(answer.code()).isEqualTo(500);
    assertThat(answer.message())
        .isEqualTo("resourceVersion should not be set on objects to be created");
  }

  @Test
  void create_otherNamespace_isRefused() {
    assertFailure(
        api().post(configMaps(), "{'metadata':{'name':'a','namespace':'other'}}"),
        400,
        "BadRequest",
        "the namespace of the provided object does not match the namespace sent on the request");
  }

  @Test
  void create_namespaceAbsent_isNotFound() {
    Answer answer = api().post("/api/v1/namespaces/absent/configmaps", "{'metadata':{'name':'a'}}");

    assertFailure(answer, 404, "NotFound", "namespaces \"absent\" not found");
    assertThat(answer.at("details", "kind")).isEqualTo("namespaces");
  }

  static Stream<Arguments> invalidMetadata() {
    return Stream.of(
        argumentSet(
            "no name", "{}", "metadata.name: Required value: name or generateName is required"),
        argumentSet(
            "bad name",
            "{'name':'Bad_Name'}",
            "metadata.name: Invalid value: \"Bad_Name\": a lowercase RFC 1123 subdomain must"
                + " consist of lower case alphanumeric characters, '-' or '.'"),
        argumentSet(
            "long name",
            "{'name':'" + "a".repeat(254) + "'}",
            "must be no more than 253 characters"),
        argumentSet(
            "bad generateName",
            "{'generateName':'Bad_Name'}",
            "metadata.generateName: Invalid value: \"Bad_Name\": "),
        argumentSet(
            "bad label",
            "{'name':'a','labels':{'a b':'c'}}",
            "metadata.labels: Invalid value: \"a b\": name part must consist of alphanumeric"),
        argumentSet(
            "bad label value",
            "{'name':'a','labels':{'a':'b c'}}",
            "metadata.labels: Invalid value: \"b c\": a valid label must be an empty string or"),
        argumentSet(
            "bad annotation",
            "{'name':'a','annotations':{'a b':'c'}}",
            "metadata.annotations: Invalid value: \"a b\": name part must consist of"),
        argumentSet(
            "bad finalizer",
            "{'name':'a','finalizers':['x']}",
            "metadata.finalizers[0]: Invalid value: \"x\": name is neither a standard finalizer"
                + " name nor is it fully qualified"),
        argumentSet(
            "bad owner", "{'name':'a','ownerReferences':[{'kind':'x'}]}", "must not be empty"));
  }

  @ParameterizedTest
  @MethodSource("invalidMetadata")
  void create_invalidMetadata_namesTheField(String metadata, String message) {
    Answer answer = api().post(configMaps(), "{'metadata':" + metadata + "}");

    assertFailure(answer, 422, "Invalid", message);
    assertThat(answer.at("details", "kind")).isEqualTo("ConfigMap");
    assertThat(answer.at("details", "causes", "0", "field")).isNotNull();
  }

  static Stream<Arguments> unreadable() {
    String unrecognized = "the object provided is unrecognized (must be of type ConfigMap): ";
    return Stream.of(
        argumentSet("empty", "", unrecognized + "couldn't get version/kind; json parse error: "),
        argumentSet("cut", "{'metadata':", unrecognized),
        argumentSet("text", "hello", unrecognized),
        argumentSet("array", "[]", unrecognized),
        argumentSet(
            "another kind",
            "{'kind':'Nope','apiVersion':'v1'}",
            "Nope in version \"v1\" cannot be handled as a ConfigMap: "),
        argumentSet(
            "a number for a label",
            "{'metadata':{'name':'a','labels':{'a':1}}}",
            "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: "),
        argumentSet(
            "a string for the metadata",
            "{'metadata':'x'}",
            "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: "));
  }

  @ParameterizedTest
  @MethodSource("unreadable")
  void create_unreadableBody_isABadRequest(String body, String message) {
    assertFailure(api().post(configMaps(), body), 400, "BadRequest", message);
  }

  @Test
  void create_dryRun_answersAndStoresNothing() {
    Answer answer = api().post(configMaps() + "?dryRun=All", "{'metadata':{'name':'a'}}");

    assertThat(answer.code()).isEqualTo(201);
    assertThat(answer.uid()).isNotEmpty();
    assertThat(answer.resourceVersion()).isEmpty();
    assertThat(api().get(configMap("a")).code()).isEqualTo(404);
  }

  @Test
  void create_unknownDryRun_isRefused() {
    assertFailure(
        api().post(configMaps() + "?dryRun=Some", "{'metadata':{'name':'a'}}"),
        422,
        "Invalid",
        "CreateOptions.meta.k8s.io \"\" is invalid: dryRun: Unsupported value: [\"Some\"]");
  }

  @Test
  void get_absent_isNotFound() {
    Answer answer = api().get(configMap("absent"));

    assertFailure(answer, 404, "NotFound", "configmaps \"absent\" not found");
    assertThat(answer.at("details", "name")).isEqualTo("absent");
    assertThat(answer.at("details", "kind")).isEqualTo("configmaps");
  }

  @Test
  void get_missingObjectOfAGroup_namesTheGroup() {
    String path = "/apis/apps/v1/namespaces/" + namespace + "/deployments/absent";

    Answer answer = api().get(path);

    assertFailure(answer, 404, "NotFound", "deployments.apps \"absent\" not found");
    assertThat(answer.at("details", "group")).isEqualTo("apps");
  }

  @Test
  void get_anyVersion_isFound() {
    create("a");

    // The cache of the real server may lag behind.
    eventually(() -> api().get(configMap("a") + "?resourceVersion=0").name().equals("a"));
  }

  @Test
  void update_withoutVersion_replacesTheObject() {
    Answer created = create("a", ",'labels':{'x':'y'}");

    Answer updated =
        must(200, api().put(configMap("a"), "{'metadata':{'name':'a'},'data':{'other':'w'}}"));

    assertThat(updated.uid()).isEqualTo(created.uid());
    assertThat(updated.at("metadata", "creationTimestamp"))
        .isEqualTo(created.at("metadata", "creationTimestamp"));
    assertThat(updated.at("metadata", "labels")).isNull();
    assertThat(JsonTree.asObject(updated.at("data"))).containsOnlyKeys("other");
    assertThat(Long.parseLong(updated.resourceVersion()))
        .isGreaterThan(Long.parseLong(created.resourceVersion()));
  }

  @Test
  void update_staleVersion_isAConflict() {
    Answer created = create("a");
    set("a", "2");

    Answer answer =
        api()
            .put(
                configMap("a"),
                "{'metadata':{'name':'a','resourceVersion':'" + created.resourceVersion() + "'}}");

    assertFailure(
        answer,
        409,
        "Conflict",
        "Operation cannot be fulfilled on configmaps \"a\": the object has been modified; please"
            + " apply your changes to the latest version and try again");
    assertThat(answer.at("details", "name")).isEqualTo("a");
  }

  @Test
  void update_withoutChange_keepsTheVersion() {
    Answer created = create("a");

    Answer updated =
        must(200, api().put(configMap("a"), "{'metadata':{'name':'a'},'data':{'k':'v'}}"));

    assertThat(updated.resourceVersion()).isEqualTo(created.resourceVersion());
  }

  @Test
  void update_otherUid_isAConflict() {
    create("a");

    assertFailure(
        api().put(configMap("a"), "{'metadata':{'name':'a','uid':'other'}}"),
        409,
        "Conflict",
        "Precondition failed: UID in precondition: other, UID in object meta: ");
  }

  @Test
  void update_otherName_isABadRequest() {
    create("a");

    assertFailure(
        api().put(configMap("a"), "{'metadata':{'name':'b'}}"),
        400,
        "BadRequest",
        "the name of the object (b) does not match the name on the URL (a)");
  }

  @Test
  void update_noName_isABadRequest() {
    create("a");

    assertFailure(
        api().put(configMap("a"), "{'metadata':{}}"), 400, "BadRequest", "name must be provided");
  }

  @Test
  void update_absent_isNotFound() {
    assertFailure(
        api().put(configMap("absent"), "{'metadata':{'name':'absent'}}"),
        404,
        "NotFound",
        "configmaps \"absent\" not found");
  }

  @Test
  void update_absentLease_createsIt() {
    String path = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases/a";

    Answer created = api().put(path, "{'metadata':{'name':'a','resourceVersion':'5'}}");

    assertThat(created.code()).as(created.text()).isEqualTo(201);
    assertThat(created.resourceVersion()).isNotEqualTo("5");
  }

  @Test
  void update_leaseWithoutVersion_isInvalid() {
    String path = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases/a";
    api().put(path, "{'metadata':{'name':'a'}}");

    assertFailure(
        api().put(path, "{'metadata':{'name':'a'}}"),
        422,
        "Invalid",
        "leases.coordination.k8s.io \"a\" is invalid: metadata.resourceVersion: Invalid value: 0:"
            + " must be specified for an update");
  }

  @Test
  void update_dryRun_answersAndChangesNothing() {
    Answer created = create("a");

    Answer answer =
        must(
            200,
            api()
                .put(configMap("a") + "?dryRun=All", "{'metadata':{'name':'a'},'data':{'k':'2'}}"));

    assertThat(answer.at("data", "k")).isEqualTo("2");
    assertThat(answer.resourceVersion()).isEqualTo(created.resourceVersion());
    assertThat(api().get(configMap("a")).at("data", "k")).isEqualTo("v");
  }

  @Test
  void writes_ofDifferentKinds_shareOneVersion() {
    long first = Long.parseLong(create("a").resourceVersion());
    long second = Long.parseLong(createPod("p", "").resourceVersion());
    long third = Long.parseLong(set("a", "2").resourceVersion());

    assertThat(List.of(first, second, third)).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void managedFields_sentByTheClient_areKept() {
    // Both servers keep the entry; kube-apiserver adds the fields of the request itself.
    Answer created =
        create(
            "a",
            ",'managedFields':[{'manager':'m','operation':'Update','apiVersion':'v1',"
                + "'time':'2026-01-01T00:00:00Z','fieldsType':'FieldsV1',"
                + "'fieldsV1':{'f:data':{'f:other':{}}}}]");

    assertThat(created.text()).contains("\"manager\":\"m\"");
  }
}
