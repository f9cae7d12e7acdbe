package dev.clientgo.envtest;

import static dev.clientgo.envtest.GadgetConverter.REMOVED;
import static dev.clientgo.envtest.GadgetConverter.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.envtest.TestClient.Event;
import dev.clientgo.envtest.TestClient.Events;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Custom kinds with several versions, which a webhook converts. Each test has its own group and its
 * own webhook.
 */
abstract class ConversionContract extends Contract {

  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  private final GadgetConverter webhook = new GadgetConverter();

  private String group = "";

  @BeforeEach
  void nameGroup() {
    group = namespace + ".example.com";
  }

  @AfterEach
  void stopWebhook() {
    // Deleted while the webhook works, else a real server would go on to call it.
    api().delete(definition());
    webhook.close();
  }

  private String definition() {
    return DEFINITIONS + "/gadgets." + group;
  }

  private String definition(String conversion) {
    return """
        {'metadata':{'name':'gadgets.GROUP'},'spec':{'group':'GROUP','scope':'Namespaced',
         'names':{'plural':'gadgets','kind':'Gadget'},'conversion':CONVERSION,'versions':[
         {'name':'v1','served':true,'storage':true,'subresources':{'status':{}},
          'schema':{'openAPIV3Schema':{'type':'object','properties':{'host':{'type':'string'},
           'size':{'type':'integer','default':3},'status':{'type':'object',
           'properties':{'seen':{'type':'integer'}}}}}}},
         {'name':'v2','served':true,'storage':false,'subresources':{'status':{}},
          'schema':{'openAPIV3Schema':{'type':'object','properties':{
           'hosts':{'type':'array','items':{'type':'string'}},'size':{'type':'integer'},
           'color':{'type':'string'},
           'status':{'type':'object','properties':{'seen':{'type':'integer'}}}}}}}]}}\
        """
        .replace("GROUP", group)
        .replace("CONVERSION", conversion);
  }

  private String byWebhook() {
    return "{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v3','v1'],"
        + "'clientConfig':"
        + webhook.clientConfig()
        + "}}";
  }

  private void define() {
    define(byWebhook());
  }

  private void define(String conversion) {
    must(201, api().post(DEFINITIONS, definition(conversion)));
    awaitServed();
  }

  private void awaitServed() {
    eventually(() -> api().get(gadgets("v1")).code() == 200);
    eventually(() -> api().get(gadgets("v2")).code() == 200);
  }

  private String gadgets(String version) {
    return "/apis/" + group + "/" + version + "/namespaces/" + namespace + "/gadgets";
  }

  private String gadget(String version, String name) {
    return gadgets(version) + "/" + name;
  }

  private String object(String version, String name, String rest) {
    return "{'apiVersion':'%s/%s','kind':'Gadget','metadata':{'name':'%s'},%s}"
        .formatted(group, version, name, rest);
  }

  private Answer create(String version, String name, String rest) {
    return must(201, api().post(gadgets(version), object(version, name, rest)));
  }

  private Answer createGadget(String name, String host) {
    return create("v1", name, "'host':'" + host + "'");
  }

  /* --------------- Reading and writing --------------- */

  @WaitingTest
  void create_inEachVersion_isReadInBoth() {
    define();

    Answer first = create("v1", "a", "'host':'one'");
    Answer second = create("v2", "b", "'hosts':['two']");

    assertThat(first.at("host")).isEqualTo("one");
    assertThat(second.at("apiVersion")).isEqualTo(group + "/v2");
    assertThat(second.at("hosts")).isEqualTo(List.of("two"));
    Answer converted = must(200, api().get(gadget("v2", "a")));
    assertThat(converted.at("hosts")).isEqualTo(List.of("one"));
    assertThat(converted.at("host")).isNull();
    assertThat(converted.at("apiVersion")).isEqualTo(group + "/v2");
    assertThat(converted.uid()).isEqualTo(first.uid());
    assertThat(converted.resourceVersion()).isEqualTo(first.resourceVersion());
    assertThat(api().get(gadget("v1", "b")).at("host")).isEqualTo("two");
  }

  @WaitingTest
  void create_defaultsOfTheRequestAndOfTheStorage_areSet() {
    String color = "'color':{'type':'string'";
    String definition = definition(byWebhook()).replace(color, color + ",'default':'red'");
    must(201, api().post(DEFINITIONS, definition));
    awaitServed();

    Answer created = create("v2", "a", "'hosts':['one']");
    Answer stored = api().get(gadget("v1", "a"));

    assertThat(stored.at("size")).isEqualTo(3L);
    assertThat(stored.at("color")).isNull(); // v1 has no such field.
    assertThat(created.at("size")).isEqualTo(3L);
    assertThat(created.at("color")).isNull(); // Lost in v1; defaults are not set after it.
  }

  @WaitingTest
  void create_dryRun_isConvertedAndNotStored() {
    define();

    Answer created =
        must(201, api().post(gadgets("v2") + "?dryRun=All", object("v2", "a", "'hosts':['x']")));

    assertThat(created.at("hosts")).isEqualTo(List.of("x"));
    assertThat(api().get(gadget("v2", "a")).code()).isEqualTo(404);
    webhook.changeAnswers(answer -> with(answer, List.of(), "response", "convertedObjects"));
    assertFailure(
        api().post(gadgets("v2") + "?dryRun=All", object("v2", "a", "'hosts':['x']")),
        500,
        "",
        "conversion webhook for " + group + "/v2, Kind=Gadget returned 0 objects, expected 1");
  }

  @WaitingTest
  void list_isInTheVersionOfTheRequest() {
    define();
    createGadget("a", "one");
    create("v2", "b", "'hosts':['two']");

    Answer list = must(200, api().get(gadgets("v2")));

    assertThat(list.at("apiVersion")).isEqualTo(group + "/v2");
    assertThat(list.itemNames()).containsExactly("a", "b");
    assertThat(list.at("items", "0", "hosts")).isEqualTo(List.of("one"));
    assertThat(list.at("items", "1", "hosts")).isEqualTo(List.of("two"));
    assertThat(list.at("items", "1", "apiVersion")).isEqualTo(group + "/v2");
    Answer page = must(200, api().get(gadgets("v2") + "?limit=1"));
    assertThat(page.at("items", "0", "hosts")).isEqualTo(List.of("one"));
  }

  @WaitingTest
  void update_inTheOtherVersion_changesTheStoredObject() {
    define();
    Answer created = createGadget("a", "one");

    Answer put =
        must(
            200,
            api()
                .put(
                    gadget("v2", "a"),
                    "{'apiVersion':'%s/v2','kind':'Gadget','metadata':{'name':'a','resourceVersion':'%s'},'hosts':['two']}"
                        .formatted(group, created.resourceVersion())));
    Answer patched = must(200, api().mergePatch(gadget("v2", "a"), "{'hosts':['three'],'size':5}"));
    Answer same = must(200, api().mergePatch(gadget("v2", "a"), "{'hosts':['three']}"));

    assertThat(put.at("hosts")).isEqualTo(List.of("two"));
    assertThat(put.at("metadata", "generation")).isEqualTo(2L);
    assertThat(patched.at("metadata", "generation")).isEqualTo(3L);
    assertThat(same.resourceVersion()).isEqualTo(patched.resourceVersion());
    Answer read = must(200, api().get(gadget("v1", "a")));
    assertThat(read.at("host")).isEqualTo("three");
    assertThat(read.at("size")).isEqualTo(5L);
    assertThat(read.uid()).isEqualTo(created.uid());
  }

  @WaitingTest
  void status_inTheOtherVersion_changesTheStatusAlone() {
    define();
    createGadget("a", "one");

    Answer status =
        must(
            200,
            api().mergePatch(gadget("v2", "a") + "/status", "{'hosts':['x'],'status':{'seen':1}}"));

    assertThat(status.at("hosts")).isEqualTo(List.of("one"));
    assertThat(api().get(gadget("v1", "a")).at("status", "seen")).isEqualTo(1L);
  }

  @WaitingTest
  void apply_inTheOtherVersion_createsAndChanges() {
    define();
    String apply = "application/apply-patch+yaml";

    Answer created =
        must(
            201,
            api()
                .send(
                    "PATCH",
                    gadget("v2", "a") + "?fieldManager=me",
                    object("v2", "a", "'hosts':['one']"),
                    "Content-Type",
                    apply));
    Answer changed =
        must(
            200,
            api()
                .send(
                    "PATCH",
                    gadget("v2", "a") + "?fieldManager=me",
                    object("v2", "a", "'hosts':['two']"),
                    "Content-Type",
                    apply));

    assertThat(created.at("hosts")).isEqualTo(List.of("one"));
    assertThat(changed.at("hosts")).isEqualTo(List.of("two"));
    assertThat(api().get(gadget("v1", "a")).at("host")).isEqualTo("two");
  }

  @WaitingTest
  void delete_inTheOtherVersion_deletes() {
    define();
    Answer created = createGadget("a", "one");
    must(200, api().mergePatch(gadget("v1", "a"), "{'metadata':{'finalizers':['example.com/a']}}"));

    Answer marked = must(200, api().delete(gadget("v2", "a")));
    must(200, api().mergePatch(gadget("v2", "a"), "{'metadata':{'finalizers':null}}"));

    assertThat(marked.at("hosts")).isEqualTo(List.of("one"));
    assertThat(marked.at("metadata", "deletionTimestamp")).isNotNull();
    assertThat(marked.uid()).isEqualTo(created.uid());
    assertThat(api().get(gadget("v1", "a")).code()).isEqualTo(404);
    createGadget("b", "one");
    createGadget("c", "one");
    Answer all = must(200, api().delete(gadgets("v2")));
    assertThat(all.at("items", "0", "hosts")).isEqualTo(List.of("one"));
    assertThat(api().get(gadgets("v1")).itemNames()).isEmpty();
  }

  @WaitingTest
  void watch_isInTheVersionOfTheRequest() {
    define();
    Answer created = createGadget("a", "one");
    try (Events events =
        api().watch(gadgets("v2") + "?watch=true&resourceVersion=" + created.resourceVersion())) {
      must(200, api().mergePatch(gadget("v1", "a"), "{'host':'two'}"));
      createGadget("b", "three");
      must(200, api().delete(gadget("v1", "a")));

      assertEvent(events.next(), "MODIFIED a", "two");
      assertEvent(events.next(), "ADDED b", "three");
      assertEvent(events.next(), "DELETED a", "two");
    }
  }

  private void assertEvent(Event event, String text, String host) {
    assertThat(event).asString().isEqualTo(text);
    assertThat(event.object())
        .containsEntry("apiVersion", group + "/v2")
        .containsEntry("hosts", List.of(host))
        .doesNotContainKey("host");
  }

  @WaitingTest
  void watch_labelsOfTheWebhook_areSelected() {
    webhook.changeObjects(object -> with(object, hostOf(object), "metadata", "labels", "host"));
    define();
    Answer other = createGadget("a", "one");
    String from = "&resourceVersion=" + other.resourceVersion();
    try (Events events =
        api().watch(gadgets("v2") + "?watch=true&labelSelector=host%3Dtwo" + from)) {
      must(200, api().mergePatch(gadget("v1", "a"), "{'host':'two'}"));
      must(200, api().mergePatch(gadget("v1", "a"), "{'host':'three'}"));

      assertEvent(events.next(), "ADDED a", "two");
      assertThat(events.next()).asString().isEqualTo("DELETED a");
    }
    assertThat(api().get(gadgets("v2") + "?labelSelector=host%3Dthree").itemNames())
        .containsExactly("a");
    assertThat(api().get(gadgets("v2") + "?labelSelector=host%3Dtwo").itemNames()).isEmpty();
  }

  private static Object hostOf(Map<String, Object> object) {
    List<String> hosts = JsonTree.strings(object, "hosts");
    return hosts.isEmpty() ? JsonTree.string(object, "host") : hosts.get(0);
  }

  /* --------------- The storage version --------------- */

  @WaitingTest
  void storage_moves_objectsAreReadAndMoveWithTheirNextWrite() {
    define();
    Answer created = createGadget("a", "one");

    must(
        200,
        api()
            .jsonPatch(
                definition(),
                "[{'op':'replace','path':'/spec/versions/0/storage','value':false},"
                    + "{'op':'replace','path':'/spec/versions/1/storage','value':true}]"));

    assertThat(api().get(definition()).at("status", "storedVersions"))
        .isEqualTo(List.of("v1", "v2"));
    // The real server needs a moment; then a write without a change moves the object.
    eventually(
        () -> {
          Answer same = api().mergePatch(gadget("v2", "a"), "{}");
          return same.code() == 200 && !same.resourceVersion().equals(created.resourceVersion());
        });
    Answer moved = must(200, api().get(gadget("v1", "a")));
    assertThat(moved.at("host")).isEqualTo("one");
    assertThat(moved.uid()).isEqualTo(created.uid());
    assertThat(moved.at("metadata", "generation")).isEqualTo(1L);
    webhook.fail("down");
    assertThat(api().get(gadget("v2", "a")).at("hosts")).isEqualTo(List.of("one"));
    webhook.fail("");
  }

  @WaitingTest
  void storedVersion_cannotBeRemoved() {
    define();

    assertFailure(
        api()
            .jsonPatch(
                definition(),
                "[{'op':'replace','path':'/spec/versions/1/storage','value':true},"
                    + "{'op':'remove','path':'/spec/versions/0'}]"),
        422,
        "Invalid",
        "status.storedVersions[0]: Invalid value: \"v1\": missing from spec.versions; v1 was"
            + " previously a storage version, and must remain in spec.versions until a storage"
            + " migration ensures no data remains persisted in v1 and removes v1 from"
            + " status.storedVersions");
  }

  @WaitingTest
  void strategyNone_removesTheFieldsOfTheOtherVersion() {
    define("{'strategy':'None'}");
    create("v1", "a", "'host':'one','size':4");

    Answer other = must(200, api().get(gadget("v2", "a")));
    Answer written = create("v2", "b", "'hosts':['two'],'size':5");

    assertThat(other.at("size")).isEqualTo(4L);
    assertThat(other.at("host")).isNull();
    assertThat(written.at("hosts")).isNull();
    assertThat(written.at("size")).isEqualTo(5L);
  }

  /* --------------- The webhook --------------- */

  @WaitingTest
  void review_hasTheWholeObjectWithoutItsResourceVersion() {
    define();
    createGadget("a", "one");
    webhook.reviews.clear();

    must(200, api().get(gadget("v2", "a")));

    Map<String, Object> review = webhook.reviews.get(0);
    assertThat(review)
        .containsEntry("kind", "ConversionReview")
        .containsEntry("apiVersion", "apiextensions.k8s.io/v1");
    assertThat(JsonTree.string(review, "request", "desiredAPIVersion")).isEqualTo(group + "/v2");
    Map<String, Object> object = JsonTree.objects(review, "request", "objects").get(0);
    assertThat(object)
        .containsEntry("apiVersion", group + "/v1")
        .containsEntry("kind", "Gadget")
        .containsEntry("host", "one");
    assertThat(JsonTree.object(object, "metadata"))
        .containsEntry("name", "a")
        .containsKeys("uid", "creationTimestamp", "generation")
        .doesNotContainKey("resourceVersion");
  }

  @WaitingTest
  void webhook_changesLabelsAndAnnotationsOnly() {
    define();
    createGadget("a", "one");
    webhook.changeObjects(
        object -> {
          Map<String, Object> changed = with(object, "x", "metadata", "labels", "added");
          changed = with(changed, "y", "metadata", "annotations", "added");
          changed = with(changed, List.of("example.com/a"), "metadata", "finalizers");
          changed = with(changed, 9L, "metadata", "generation");
          return with(changed, "unknown", "other");
        });

    Answer read = must(200, api().get(gadget("v2", "a")));

    assertThat(read.at("metadata", "labels")).isEqualTo(Map.of("added", "x"));
    assertThat(read.at("metadata", "annotations")).isEqualTo(Map.of("added", "y"));
    assertThat(read.at("metadata", "finalizers")).isNull();
    assertThat(read.at("metadata", "generation")).isEqualTo(1L);
    assertThat(read.at("other")).isNull();
  }

  @WaitingTest
  void webhook_thatBreaksTheRules_failsTheWriteAndStoresNothing() {
    define();
    String kind = "conversion webhook for " + group + "/v2, Kind=Gadget ";
    Map<String, UnaryOperator<Map<String, Object>>> objects = new LinkedHashMap<>();
    objects.put(
        "returned invalid object at index 0: invalid groupVersion (expected "
            + group
            + "/v1, received other/v1)",
        o -> with(o, "other/v1", "apiVersion"));
    objects.put(
        "returned invalid object at index 0: invalid kind (expected Gadget, received Other)",
        o -> with(o, "Other", "kind"));
    objects.put(
        "returned invalid object: must have the same name: a != b",
        o -> with(o, "b", "metadata", "name"));
    objects.put(
        "returned invalid object: must have the same namespace: " + namespace + " != other",
        o -> with(o, "other", "metadata", "namespace"));
    objects.put(
        "returned invalid object: must have the same UID: ", o -> with(o, "1", "metadata", "uid"));
    objects.put(
        "returned invalid metadata: metadata.labels[a] must be a string, but is int64 in",
        o -> with(o, 1L, "metadata", "labels", "a"));
    objects.put(
        "returned invalid metadata: invalid metadata.annotations of type string in",
        o -> with(o, "x", "metadata", "annotations"));
    objects.put(
        "returned invalid metadata: metadata.labels: Invalid value: \"not valid\": ",
        o -> with(o, "not valid", "metadata", "labels", "a"));
    Map<String, UnaryOperator<Map<String, Object>>> answers = new LinkedHashMap<>();
    answers.put(
        "returned 0 objects, expected 1", a -> with(a, List.of(), "response", "convertedObjects"));
    answers.put("failed: no response provided", a -> with(a, REMOVED, "response"));
    answers.put("failed: expected response.uid=\"", a -> with(a, "1", "response", "uid"));
    answers.put(
        "failed: it is too old",
        a ->
            with(a, Map.of("status", "Failure", "message", "it is too old"), "response", "result"));
    answers.put(
        "failed: response.result.status was 'Failure', not 'Success'",
        a -> with(a, Map.of("status", "Failure"), "response", "result"));
    answers.put(
        "failed: converting (v1beta1.ConversionReview) to (v1.ConversionReview): unknown conversion",
        a -> with(a, "apiextensions.k8s.io/v1beta1", "apiVersion"));

    List<String> problems = new ArrayList<>();
    objects.forEach(
        (message, change) -> {
          webhook.changeObjects(change);
          problems.add(problem(kind + message));
        });
    webhook.changeObjects(UnaryOperator.identity());
    answers.forEach(
        (message, change) -> {
          webhook.changeAnswers(change);
          problems.add(problem(kind + message));
        });
    webhook.changeAnswers(UnaryOperator.identity());

    assertThat(problems).containsOnly("");
    assertThat(api().get(gadget("v1", "a")).code()).isEqualTo(404);
  }

  /** Creates an object, and returns an error that has another text; empty if it has this one. */
  private String problem(String message) {
    Answer answer = api().post(gadgets("v2"), object("v2", "a", "'hosts':['one']"));
    boolean fits = answer.code() == 500 && answer.message().startsWith(message);
    return fits ? "" : "wanted " + message + "\n found " + answer.text();
  }

  private String reason() {
    return since(37) ? "InternalError" : "";
  }

  @WaitingTest
  void webhook_thatFails_failsRequestsInTheOtherVersionAlone() {
    define();
    createGadget("a", "one");
    webhook.fail("it broke");
    String failure = "conversion webhook for " + group + "/v1, Kind=Gadget failed: ";

    Answer read = api().get(gadget("v2", "a"));
    Answer changed = api().mergePatch(gadget("v2", "a"), "{'hosts':['two']}");
    Answer deleted = api().delete(gadget("v2", "a"));
    Answer same = must(200, api().mergePatch(gadget("v1", "a"), "{'host':'two'}"));

    assertFailure(
        read,
        500,
        reason(),
        failure
            + "an error on the server (\"it broke\") has prevented the request from succeeding");
    assertFailure(changed, 500, "", failure);
    // By v2, if the watch cache of kube-apiserver has the object already, in the version of the
    // request.
    assertThat(deleted.reason()).isIn("", reason());
    assertFailure(deleted, 500, deleted.reason(), "conversion webhook for " + group + "/v");
    assertThat(same.at("host")).isEqualTo("two");
    webhook.fail("");
    assertThat(must(200, api().get(gadget("v2", "a"))).at("hosts")).isEqualTo(List.of("two"));
  }

  @WaitingTest
  void webhook_thatCannotBeReached_namesItsAddress() {
    define();
    createGadget("a", "one");
    webhook.close();

    Answer read = api().get(gadget("v2", "a"));

    assertFailure(
        read,
        500,
        reason(),
        "conversion webhook for " + group + "/v1, Kind=Gadget failed: Post \"https://127.0.0.1:");
    assertThat(read.message()).contains("/convert?timeout=30s\": ");
    must(200, api().delete(gadget("v1", "a")));
  }

  @WaitingTest
  void define_wrongConversion_isInvalid() {
    String config = webhook.clientConfig();

    assertInvalid(
        "{'strategy':'Webhook'}",
        "spec.conversion.webhookClientConfig: Required value: required when strategy is set to"
            + " Webhook");
    assertInvalid(
        "{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v1'],'clientConfig':{}}}",
        "spec.conversion.webhookClientConfig: Required value: exactly one of url or service is"
            + " required");
    assertInvalid(
        "{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v3'],'clientConfig':"
            + config
            + "}}",
        "spec.conversion.conversionReviewVersions: Invalid value: [\"v3\"]: must include at least"
            + " one of v1, v1beta1");
    assertInvalid(
        "{'strategy':'Webhook','webhook':{'conversionReviewVersions':[],'clientConfig':"
            + config
            + "}}",
        "spec.conversion.conversionReviewVersions: Required value");
    assertInvalid(
        "{'strategy':'None','webhook':{'conversionReviewVersions':['v1'],'clientConfig':"
            + config
            + "}}",
        "spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set"
            + " to Webhook");
    assertInvalid(
        "{'strategy':'Other'}",
        "spec.conversion.strategy: Unsupported value: \"Other\": supported values: \"None\","
            + " \"Webhook\"");
  }

  private void assertInvalid(String conversion, String message) {
    assertFailure(api().post(DEFINITIONS, definition(conversion)), 422, "Invalid", message);
  }
}
