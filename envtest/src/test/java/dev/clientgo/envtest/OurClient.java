package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** This library's client of the server under test, and the objects that the tests use. */
abstract class OurClient extends Contract {

  static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final String NOTES =
      """
      {'metadata':{'name':'notes.client.example.com'},'spec':{'group':'client.example.com',
       'scope':'Namespaced','names':{'plural':'notes','kind':'Note'},'versions':[{'name':'v1',
       'served':true,'storage':true,'subresources':{'status':{}},
       'schema':{'openAPIV3Schema':{'type':'object','properties':{
        'data':{'type':'object','properties':{'k':{'type':'string'},'other':{'type':'string'},
         'list':{'type':'array','items':{'type':'object','properties':{'a':{'type':'string'}}}}}},
        'status':{'type':'object','properties':{'seen':{'type':'integer'}}}}}}}]}}\
      """;

  /** The warnings of the server. */
  final List<String> warnings = new CopyOnWriteArrayList<>();

  RESTClient client;

  abstract ApiServer server();

  @BeforeEach
  void connect() {
    client =
        RESTClient.builder(server().restConfig())
            .warningHandler((code, agent, text) -> warnings.add(text))
            .build();
    api().post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", NOTES);
    eventually(() -> api().get("/apis/client.example.com/v1/notes").code() == 200);
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  /** A kind, and the value at {@code .data.k} to change. */
  enum Kind {
    BUILT_IN("", "ConfigMap", "configmaps"),
    CUSTOM("client.example.com", "Note", "notes");

    private final String group;
    private final String kind;
    private final String plural;

    Kind(String group, String kind, String plural) {
      this.group = group;
      this.kind = kind;
      this.plural = plural;
    }

    GroupVersionResource resource() {
      return new GroupVersionResource(group, "v1", plural);
    }

    GroupVersionKind groupVersionKind() {
      return new GroupVersionKind(group, "v1", kind);
    }

    /** Returns an object that is not stored. */
    Unstructured object(String name, String value) {
      return Unstructured.parse("{\"metadata\":{\"name\":\"" + name + "\"}}")
          .withType(resource().groupVersion().toString(), kind)
          .with(value, "data", "k");
    }
  }

  ResourceClient<Unstructured> of(Kind kind) {
    return client.dynamic(kind.resource()).inNamespace(namespace);
  }

  ResourceClient<Unstructured> of(String group, String resource) {
    return client.dynamic(new GroupVersionResource(group, "v1", resource)).inNamespace(namespace);
  }

  static Unstructured json(String text) {
    return Unstructured.parse(text.replace('\'', '"'));
  }

  static String value(Unstructured object) {
    return object.nestedString("data", "k").orElse("");
  }

  static String nameOf(Unstructured object) {
    return String.valueOf(object.metadata().name());
  }

  /** Makes a call that must fail, and returns the server's error. */
  static ApiStatusException refused(int code, ThrowingCallable call) {
    Throwable thrown = catchThrowable(call);
    assertThat(thrown).isInstanceOf(ApiStatusException.class);
    ApiStatusException failure = (ApiStatusException) thrown;
    assertThat(failure.code()).as(failure.getMessage()).isEqualTo(code);
    return failure;
  }
}
