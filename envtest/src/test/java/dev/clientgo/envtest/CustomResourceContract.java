package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.envtest.TestClient.Event;
import dev.clientgo.envtest.TestClient.Events;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;

/** Custom kinds. Each test has its own group. */
abstract class CustomResourceContract extends Contract {

  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  private String group = "";

  @BeforeEach
  void nameGroup() {
    group = namespace + ".example.com";
  }

  private String definition(String plural, String kind) {
    String open = "'x-kubernetes-preserve-unknown-fields':true";
    return "{'metadata':{'name':'"
        + plural
        + "."
        + group
        + "'},'spec':{'group':'"
        + group
        + "','scope':'Namespaced','names':{'plural':'"
        + plural
        + "','kind':'"
        + kind
        + "','shortNames':['"
        + plural.substring(0, 2)
        + "'],'categories':['all']},'versions':["
        + "{'name':'v1beta1','served':true,'storage':false,"
        + "'schema':{'openAPIV3Schema':{'type':'object',"
        + open
        + "}}},"
        + "{'name':'v1','served':true,'storage':true,'subresources':{'status':{}},"
        + "'selectableFields':[{'jsonPath':'.spec.color'}],"
        + "'schema':{'openAPIV3Schema':{'type':'object','properties':{"
        + "'spec':{'type':'object',"
        + open
        + ",'properties':{'color':{'type':'string'},"
        + "'size':{'type':'integer','minimum':1,'default':3}}},"
        + "'status':{'type':'object',"
        + open
        + "}}}}}]}}";
  }

  private String widgets() {
    return "/apis/" + group + "/v1/namespaces/" + namespace + "/widgets";
  }

  /** Creates the definition of widgets and waits until they are served. */
  private void define() {
    must(201, api().post(DEFINITIONS, definition("widgets", "Widget")));
    // The real server serves a kind once its names are accepted, before its status says so.
    eventually(() -> conditions().contains("Established=True"));
    eventually(() -> api().get(widgets()).code() == 200);
  }

  private List<String> conditions() {
    Answer definition = api().get(DEFINITIONS + "/widgets." + group);
    return JsonTree.objects(definition.json(), "status", "conditions").stream()
        .map(condition -> condition.get("type") + "=" + condition.get("status"))
        .toList();
  }

  private String widget(String name, String rest) {
    return "{'apiVersion':'"
        + group
        + "/v1','kind':'Widget','metadata':{'name':'"
        + name
        + "'}"
        + rest
        + "}";
  }

  private Answer createWidget(String name, String rest) {
    return must(201, api().post(widgets(), widget(name, rest)));
  }

  /* --------------- Definitions --------------- */

  @WaitingTest
  void define_kind_isEstablishedUnderItsNames() {
    define();

    Answer definition = api().get(DEFINITIONS + "/widgets." + group);

    assertThat(conditions()).contains("NamesAccepted=True", "Established=True");
    assertThat(definition.at("spec", "names", "singular")).isEqualTo("widget");
    assertThat(definition.at("spec", "names", "listKind")).isEqualTo("WidgetList");
    assertThat(definition.at("spec", "conversion", "strategy")).isEqualTo("None");
    assertThat(definition.at("status", "acceptedNames", "kind")).isEqualTo("Widget");
    assertThat(definition.at("status", "storedVersions")).isEqualTo(List.of("v1"));
    assertThat(definition.at("metadata", "generation")).isEqualTo(1L);
  }

  @WaitingTest
  void define_kind_isDiscovered() {
    define();
    // The real server publishes one version after another.
    eventually(() -> "v1".equals(preferred()));
    eventually(() -> !resources("v1").isEmpty() && !resources("v1beta1").isEmpty());
    List<Map<String, Object>> stable = resources("v1");

    assertThat(preferred()).isEqualTo("v1");
    assertThat(stable).map(one -> one.get("name")).containsExactly("widgets", "widgets/status");
    assertThat(stable.get(0))
        .containsEntry("singularName", "widget")
        .containsEntry("kind", "Widget")
        .containsEntry("namespaced", true)
        .containsEntry("shortNames", List.of("wi"))
        .containsEntry("categories", List.of("all"));
    assertThat(resources("v1beta1")).map(one -> one.get("name")).containsExactly("widgets");
  }

  private String preferred() {
    return JsonTree.string(api().get("/apis/" + group).json(), "preferredVersion", "version");
  }

  private List<Map<String, Object>> resources(String version) {
    return JsonTree.objects(api().get("/apis/" + group + "/" + version).json(), "resources");
  }

  @WaitingTest
  void define_wrongName_isInvalid() {
    String wrong = definition("widgets", "Widget").replace("'widgets." + group, "'other." + group);

    assertFailure(
        api().post(DEFINITIONS, wrong),
        422,
        "Invalid",
        "metadata.name: Invalid value: \"other."
            + group
            + "\": must be spec.names.plural+\".\"+spec.group");
  }

  /** Each type of the schema is one of JSON's, however deep it is. */
  @WaitingTest
  void define_unknownType_isInvalid() {
    Map<String, String> places =
        Map.of(
            "'type':'objekt'", "",
            "'type':'array','items':{'type':'objekt'}", ".items",
            "'type':'object','additionalProperties':{'type':'objekt'}", ".additionalProperties",
            "'type':'object','properties':{'a':{'type':'objekt'}}", ".properties[a]");
    places.forEach(
        (schema, place) ->
            assertFailure(
                api()
                    .post(
                        DEFINITIONS,
                        definition("widgets", "Widget").replace("'type':'string'", schema)),
                422,
                "Invalid",
                "spec.versions[1].schema.openAPIV3Schema.properties[spec].properties[color]"
                    + place
                    + ".type: Unsupported value: \"objekt\": supported values: \"array\","
                    + " \"boolean\", \"integer\", \"number\", \"object\", \"string\""));
  }

  @WaitingTest
  void define_kindInUse_isNotAccepted() {
    define();

    must(201, api().post(DEFINITIONS, definition("gadgets", "Widget")));
    String path = DEFINITIONS + "/gadgets." + group;
    eventually(() -> !JsonTree.objects(api().get(path).json(), "status", "conditions").isEmpty());

    assertThat(JsonTree.objects(api().get(path).json(), "status", "conditions"))
        .map(condition -> condition.get("type") + "=" + condition.get("status"))
        .contains("NamesAccepted=False", "Established=False");
    assertThat(api().get("/apis/" + group + "/v1/gadgets").code()).isEqualTo(404);
  }

  @WaitingTest
  void undefine_kind_deletesItsObjectsAndEndsWatches() {
    define();
    Answer created = createWidget("a", "");
    try (Events events =
        api().watch(widgets() + "?watch=true&resourceVersion=" + created.resourceVersion())) {
      Answer deleted = must(200, api().delete(DEFINITIONS + "/widgets." + group));

      assertThat(deleted.at("kind")).isEqualTo("CustomResourceDefinition");
      assertThat(deleted.at("metadata", "deletionTimestamp")).isNotNull();
      assertThat(events.next()).asString().isEqualTo("DELETED a");
      assertThat(events.rest()).isEmpty();
    }
    eventually(() -> api().get(widgets()).code() == 404);
    eventually(() -> api().get(DEFINITIONS + "/widgets." + group).code() == 404);
  }

  /* --------------- Objects --------------- */

  @WaitingTest
  void create_object_isServedInAllVersions() {
    define();
    Answer created = createWidget("a", ",'spec':{'color':'red','any':[1,null,{'deep':true}]}");

    Answer older = api().get(widgets().replace("/v1/", "/v1beta1/") + "/a");

    assertThat(created.at("apiVersion")).isEqualTo(group + "/v1");
    assertThat(created.at("metadata", "generation")).isEqualTo(1L);
    assertThat(created.text()).contains("\"any\":[1,null,{\"deep\":true}]");
    assertThat(older.at("apiVersion")).isEqualTo(group + "/v1beta1");
    assertThat(older.at("kind")).isEqualTo("Widget");
    assertThat(older.uid()).isEqualTo(created.uid());
  }

  @WaitingTest
  void create_setsDefaultsAndRemovesUnknownFields() {
    define();

    Answer created = createWidget("a", ",'spec':{'color':'red'},'unknown':1");

    assertThat(created.at("spec", "size")).isEqualTo(3L);
    assertThat(created.json()).doesNotContainKey("unknown");
  }

  @WaitingTest
  void create_againstTheSchema_isInvalid() {
    define();

    Answer answer = api().post(widgets(), widget("a", ",'spec':{'size':0,'color':5}"));

    assertFailure(answer, 422, "Invalid", "Widget." + group + " \"a\" is invalid: ");
    assertThat(answer.message())
        .contains(
            "spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1")
        .contains(
            "spec.color: Invalid value: \"integer\": spec.color in body must be of type string");
  }

  @WaitingTest
  void list_objects_haveTheirKind() {
    define();
    createWidget("a", "");

    Answer list = api().get(widgets());

    assertThat(list.at("kind")).isEqualTo("WidgetList");
    assertThat(list.at("metadata", "continue")).isEqualTo("");
    assertThat(list.at("items", "0", "kind")).isEqualTo("Widget");
    assertThat(list.at("items", "0", "apiVersion")).isEqualTo(group + "/v1");
  }

  @WaitingTest
  void create_otherTypes_areRefused() {
    define();
    String fine = widget("a", "");

    assertFailure(
        api().post(widgets(), "{'metadata':{'name':'a'}}"),
        400,
        "BadRequest",
        "the object provided is unrecognized (must be of type Widget): Object 'Kind' is missing");
    assertFailure(
        api().post(widgets(), fine.replace("'kind':'Widget'", "'kind':'Other'")),
        422,
        "Invalid",
        "Other." + group + " \"a\" is invalid: kind: Invalid value: \"Other\": must be Widget");
    assertFailure(
        api().post(widgets(), fine.replace(group + "/v1", group + "/v1beta1")),
        400,
        "BadRequest",
        "the API version in the data ("
            + group
            + "/v1beta1) does not match the expected API version ("
            + group
            + "/v1)");
  }

  @WaitingTest
  void update_withoutVersion_isInvalid() {
    define();
    createWidget("a", "");

    assertFailure(
        api().put(widgets() + "/a", widget("a", "")),
        422,
        "Invalid",
        "widgets." + group + " \"a\" is invalid: metadata.resourceVersion: Invalid value: 0: must");
  }

  @WaitingTest
  void status_isWrittenOnlyThroughItsSubresource() {
    define();
    Answer created = createWidget("a", ",'spec':{'color':'red'},'status':{'x':1}");

    Answer main = api().mergePatch(widgets() + "/a", "{'status':{'x':2}}");
    Answer status =
        api()
            .mergePatch(
                widgets() + "/a/status",
                "{'metadata':{'labels':{'a':'b'}},'spec':{'color':'blue'},'status':{'x':3}}");

    assertThat(created.json()).doesNotContainKey("status");
    assertThat(main.resourceVersion()).isEqualTo(created.resourceVersion());
    assertThat(status.at("status", "x")).isEqualTo(3L);
    assertThat(status.at("spec", "color")).isEqualTo("red");
    assertThat(status.at("metadata", "labels")).isNull();
    assertThat(status.at("metadata", "generation")).isEqualTo(1L);
  }

  @WaitingTest
  void status_versionWithoutIt_isNotFound() {
    define();
    createWidget("a", "");

    assertFailure(
        api().get(widgets().replace("/v1/", "/v1beta1/") + "/a/status"),
        404,
        "NotFound",
        "widgets." + group + " \"a\" not found");
  }

  @WaitingTest
  void generation_specChanges_countsThem() {
    define();
    createWidget("a", ",'spec':{'color':'red'}");

    Answer spec = api().mergePatch(widgets() + "/a", "{'spec':{'color':'blue'}}");
    Answer labels = api().mergePatch(widgets() + "/a", "{'metadata':{'labels':{'a':'b'}}}");

    assertThat(spec.at("metadata", "generation")).isEqualTo(2L);
    assertThat(labels.at("metadata", "generation")).isEqualTo(2L);
  }

  @WaitingTest
  void list_selectableField_selects() {
    define();
    createWidget("a", ",'spec':{'color':'red'}");
    createWidget("b", ",'spec':{'color':'blue'}");

    assertThat(api().get(widgets() + "?fieldSelector=spec.color%3Dblue").itemNames())
        .containsExactly("b");
    assertFailure(
        api().get(widgets() + "?fieldSelector=spec.size%3D3"),
        400,
        "BadRequest",
        "field label not supported: spec.size");
  }

  @WaitingTest
  void patch_strategic_isUnsupported() {
    define();
    createWidget("a", "");

    assertFailure(
        api()
            .send(
                "PATCH",
                widgets() + "/a",
                "{}",
                "Content-Type",
                "application/strategic-merge-patch+json"),
        415,
        "UnsupportedMediaType",
        "the body of the request was in an unknown format - accepted media types include:"
            + " application/json-patch+json, application/merge-patch+json,"
            + " application/apply-patch+yaml");
  }

  @WaitingTest
  void delete_object_namesTheGroup() {
    define();
    createWidget("a", "");

    Answer deleted = must(200, api().delete(widgets() + "/a"));

    assertThat(deleted.at("details", "group")).isEqualTo(group);
    assertThat(deleted.at("details", "kind")).isEqualTo("widgets");
  }

  @WaitingTest
  void paths_unknown_answerPlainText() {
    define();

    for (String path :
        List.of(
            widgets().replace("widgets", "others"),
            widgets().replace("/v1/", "/v2/"),
            "/apis/" + group + "/v1/widgets/a")) {
      assertThat(api().get(path).text()).as(path).isEqualTo("404 page not found\n");
    }
  }

  @WaitingTest
  void watch_fromBeforeTheKind_hasExpired() {
    define();

    try (Events events = api().watch(widgets() + "?watch=true&resourceVersion=1")) {
      assertThat(events.code()).isEqualTo(200);
      Event error = events.next();
      assertThat(error.type()).isEqualTo("ERROR");
      assertThat(error.object())
          .containsEntry("kind", "Status")
          .containsEntry("apiVersion", "v1")
          .containsEntry("status", "Failure")
          .containsEntry("reason", "Expired")
          .containsEntry("code", 410L);
      assertThat(JsonTree.string(error.object(), "message"))
          .matches("too old resource version: 1 \\(\\d+\\)");
      assertThat(events.rest()).isEmpty();
    }
  }

  @WaitingTest
  void watch_objects_sendsTheirChanges() {
    define();
    createWidget("a", "");

    try (Events events = api().watch(widgets() + "?watch=true&allowWatchBookmarks=true")) {
      Event added = events.next();
      assertThat(added).asString().isEqualTo("ADDED a");
      assertThat(added.object()).containsEntry("kind", "Widget");
      Event bookmark = events.next();
      assertThat(bookmark.type()).isEqualTo("BOOKMARK");
      assertThat(bookmark.object())
          .containsEntry("kind", "Widget")
          .containsEntry("apiVersion", group + "/v1");
    }
  }
}
