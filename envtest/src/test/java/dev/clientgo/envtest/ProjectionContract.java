package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.clientgo.apimachinery.json.Projection;
import dev.clientgo.apimachinery.meta.ManagedFieldsEntry;
import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.meta.options.UpdateOptions;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.envtest.TestClient.Events;
import dev.clientgo.rest.ResourceClient;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that read only some fields: what reaches the server, and what it keeps. */
abstract class ProjectionContract extends OurClient {

  private static final ApplyOptions OWNER = ApplyOptions.of("owner");
  private static final UpdateOptions WRITER =
      UpdateOptions.builder().fieldManager("writer").build();

  static final String[] DROP = {"Accept", "application/json;drop=metadata.managedFields"};

  /** Returns whether the server leaves out the managed fields if a request asks it to. */
  boolean leavesOutManagedFields() {
    return false;
  }

  /** Returns the path of the objects of a kind in the namespace of the test. */
  String path(Kind kind) {
    String version = kind == Kind.BUILT_IN ? "/api/v1" : "/apis/client.example.com/v1";
    return version + "/namespaces/" + namespace + "/" + kind.resource().resource();
  }

  private static ResourceType<Unstructured> type(Kind kind) {
    return Unstructured.type(kind.groupVersionKind(), kind.resource().resource(), true);
  }

  private ResourceClient<Unstructured> dropping(Kind kind) {
    return client.resource(type(kind).dropManagedFields()).inNamespace(namespace);
  }

  private List<String> managers(Kind kind) throws InterruptedException {
    return of(kind).get("a").metadata().managedFields().stream()
        .map(ManagedFieldsEntry::manager)
        .toList();
  }

  @BeforeEach
  void create() throws InterruptedException {
    for (Kind kind : Kind.values()) {
      of(kind).apply(kind.object("a", "1"), OWNER);
    }
  }

  /** Whether the server leaves them out, or sends them anyway. */
  @ParameterizedTest
  @EnumSource
  void dropManagedFields_eachVerb_readsNone(Kind kind) throws Exception {
    ResourceClient<Unstructured> dropping = dropping(kind);
    Unstructured whole = of(kind).get("a");

    Unstructured read = dropping.get("a");

    assertThat(read.metadata())
        .isEqualTo(
            whole
                .metadata()
                .with(m -> m.managedFields(null).projection(Projection.WITHOUT_MANAGED_FIELDS)));
    assertThat(value(read)).isEqualTo("1");
    assertThat(dropping.list().items()).contains(read);
    ListOptions one = ListOptions.builder().fieldSelector("metadata.name=a").build();
    try (Watch<Unstructured> watch = dropping.watch(one)) {
      assertThat(watch.next().orElseThrow().value()).isEqualTo(read);
    }
    assertThat(dropping.create(kind.object("b", "1")).metadata().managedFields()).isEmpty();
    assertThat(dropping.edit("b", it -> it.with("2", "data", "k")).metadata().managedFields())
        .isEmpty();
    assertThat(dropping.apply(kind.object("b", "2"), OWNER.force()).metadata().managedFields())
        .isEmpty();
    assertThat(of(kind).get("b").metadata().managedFields()).isNotEmpty();
  }

  /** The server keeps its managed fields if an object has none. */
  @ParameterizedTest
  @EnumSource
  void update_objectReadWithoutManagedFields_keepsThoseOfTheServer(Kind kind) throws Exception {
    ResourceClient<Unstructured> dropping = dropping(kind);

    dropping.update(dropping.get("a").with("x", "data", "other"), WRITER);

    assertThat(managers(kind)).contains("owner", "writer");
    // The owner no longer wants its field, so the server removes it: the server knows whose it is.
    Unstructured nothing = kind.object("a", "1").without("data");
    assertThat(value(of(kind).apply(nothing, OWNER))).isEmpty();
    assertThat(of(kind).get("a").nestedString("data", "other")).contains("x");
  }

  @ParameterizedTest
  @EnumSource
  void edit_byAClientThatDropsOrKeeps_keepsWhatItDoesNotRead(Kind kind) throws Exception {
    of(kind).edit("a", it -> it.with("x", "data", "other"));
    List<String> before = managers(kind);

    dropping(kind).edit("a", it -> it.with("y", "data", "other"));
    client
        .resource(type(kind).keep("metadata.annotations"))
        .inNamespace(namespace)
        .edit(
            "a",
            it ->
                it.withMetadata(it.metadata().with(m -> m.editAnnotations(a -> a.put("n", "1")))));

    Unstructured edited = of(kind).get("a");
    assertThat(value(edited)).isEqualTo("1");
    assertThat(edited.nestedString("data", "other")).contains("y");
    assertThat(edited.metadata().annotation("n")).contains("1");
    assertThat(managers(kind)).containsAll(before);
  }

  @ParameterizedTest
  @EnumSource
  void apply_objectThatWasRead_isRefusedAlthoughItHasNoManagedFields(Kind kind) throws Exception {
    Unstructured read = dropping(kind).get("a");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> of(kind).apply(read, OWNER))
        .withMessageContaining("apply what you want of it, not what you read");
  }

  @ParameterizedTest
  @EnumSource
  void update_objectThatLacksFields_isRefused(Kind kind) throws Exception {
    of(kind).edit("a", it -> it.with("x", "data", "other"));
    Unstructured cut = client.resource(type(kind).keep("data.k")).inNamespace(namespace).get("a");

    assertThat(value(cut)).isEqualTo("1");
    assertThat(cut.nestedString("data", "other")).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of(kind).update(cut.with("2", "data", "k")))
        .withMessageContaining("it was read with keep(data.k)");
    assertThat(of(kind).get("a").nestedString("data", "other")).contains("x");
  }

  private void assertSent(String object) {
    assertThat(object).contains("uid");
    assertThat(object.contains("managedFields")).as(object).isEqualTo(!leavesOutManagedFields());
  }

  private String send(String method, String path, Unstructured object, String contentType) {
    String[] headers = {"Content-Type", contentType, DROP[0], DROP[1]};
    return api().send(method, path, object.toJson(), headers).text();
  }

  /** A server without the feature gate ignores the parameter. */
  @ParameterizedTest
  @EnumSource
  void drop_eachVerb_isObeyedOrIgnored(Kind kind) {
    String path = path(kind);
    Unstructured b = kind.object("b", "1");

    assertSent(api().get(path + "/a", DROP).text());
    assertSent(api().get(path, DROP).text());
    assertSent(send("POST", path, b, "application/json"));
    assertSent(send("PATCH", path + "/b", json("{'data':{'k':'2'}}"), MERGE_PATCH));
    String version = api().get(path + "/b").resourceVersion();
    Unstructured changed = b.withMetadata(b.metadata().with(m -> m.resourceVersion(version)));
    assertSent(send("PUT", path + "/b", changed, "application/json"));
    try (Events events = api().watch(path + "?watch=true&timeoutSeconds=60", DROP)) {
      assertSent(events.next().object().toString());
    }
    String partial = DROP[1] + ";as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
    assertSent(api().get(path + "/a", DROP[0], partial).text());
  }

  /** A server with the gate takes the next clause, one without it ignores the parameter. */
  @ParameterizedTest
  @EnumSource
  void drop_ofOtherFields_leavesOutNothing(Kind kind) {
    String body =
        api()
            .get(path(kind) + "/a", "Accept", "application/json;drop=data, application/json")
            .text();

    assertThat(body).contains("managedFields", "\"k\":");
  }

  @Test
  void metadata_withoutManagedFields_isTheMetadataOfTheObject() throws Exception {
    var metadata =
        client
            .resource(type(Kind.BUILT_IN).metadataOnly().dropManagedFields())
            .inNamespace(namespace);

    assertThat(metadata.get("a").metadata()).isEqualTo(dropping(Kind.BUILT_IN).get("a").metadata());
    assertThat(metadata.list().items()).hasSizeGreaterThan(0);
  }
}
