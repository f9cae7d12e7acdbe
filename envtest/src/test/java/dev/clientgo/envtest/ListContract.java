package dev.clientgo.envtest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.net.URLEncoder;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists: format, resource versions, pages and selectors. */
abstract class ListContract extends Contract {

  private String[] versions = {};

  /** Creates a, b, c, d and e; all have the label {@code n}, every second one {@code even}. */
  private void createFive() {
    versions = new String[5];
    for (int i = 0; i < 5; i++) {
      String even = i % 2 == 0 ? ",'even':'yes'" : "";
      String name = String.valueOf((char) ('a' + i));
      versions[i] = create(name, ",'labels':{'n':'" + i + "'" + even + "}").resourceVersion();
    }
  }

  private Answer list(String query) {
    return api().get(configMaps() + query);
  }

  private static String token(Answer page) {
    return String.valueOf(page.at("metadata", "continue"));
  }

  /* --------------- Format --------------- */

  @Test
  void list_empty_hasItems() {
    Answer list = must(200, list(""));

    assertThat(list.at("kind")).isEqualTo("ConfigMapList");
    assertThat(list.at("apiVersion")).isEqualTo("v1");
    assertThat(list.at("items")).isEqualTo(List.of());
    assertThat(list.resourceVersion()).matches("[1-9][0-9]*");
    assertThat(JsonTree.asObject(list.at("metadata"))).doesNotContainKey("continue");
  }

  @Test
  void list_builtInKind_itemsDoNotRepeatTheKind() {
    create("a");

    assertThat(JsonTree.asObject(list("").at("items", "0")))
        .doesNotContainKeys("kind", "apiVersion")
        .containsKeys("metadata", "data");
  }

  @Test
  void list_objects_areSortedByName() {
    for (String name : List.of("b", "a-b", "a", "a.b", "10", "9")) {
      create(name);
    }

    assertThat(list("").itemNames()).containsExactly("10", "9", "a", "a-b", "a.b", "b");
  }

  @Test
  void list_allNamespaces_containsAll() {
    create("a");
    Answer all = api().get("/api/v1/configmaps?fieldSelector=metadata.namespace%3D" + namespace);

    assertThat(all.itemNames()).containsExactly("a");
    assertThat(all.at("items", "0", "metadata", "namespace")).isEqualTo(namespace);
  }

  @Test
  void list_namespaceAbsent_isEmpty() {
    assertThat(api().get("/api/v1/namespaces/absent/configmaps").at("items")).isEqualTo(List.of());
  }

  @Test
  void list_afterAWrite_showsIt_atItsVersionOrLater() {
    long written = Long.parseLong(create("a").resourceVersion());

    Answer list = list("");

    assertThat(list.itemNames()).containsExactly("a");
    assertThat(Long.parseLong(list.resourceVersion())).isGreaterThanOrEqualTo(written);
  }

  /* --------------- Resource versions --------------- */

  @Test
  void list_anyVersion_answers() {
    create("a");

    assertThat(list("?resourceVersion=0").code()).isEqualTo(200);
  }

  @Test
  void list_atLeastAVersion_isTheLatest() {
    createFive();
    // The real server waits for its cache, at most 3 s.
    eventually(() -> list("?resourceVersion=" + versions[4]).code() == 200);
    assertThat(list("?resourceVersion=" + versions[4]).itemNames()).hasSize(5);
    assertThat(
            list("?resourceVersion=" + versions[4] + "&resourceVersionMatch=NotOlderThan")
                .itemNames())
        .hasSize(5);
  }

  @Test
  void list_exactVersion_showsThePast() {
    createFive();
    set("a", "2");
    api().delete(configMap("b"));

    Answer past = list("?resourceVersionMatch=Exact&resourceVersion=" + versions[2]);

    assertThat(past.itemNames()).containsExactly("a", "b", "c");
    assertThat(past.at("items", "0", "data", "k")).isEqualTo("v");
    assertThat(past.resourceVersion()).isEqualTo(versions[2]);
  }

  @Execution(ExecutionMode.CONCURRENT) // The real server waits for 3 s.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "?resourceVersion=99999999",
        "?resourceVersion=99999999&resourceVersionMatch=Exact",
        "?resourceVersion=99999999&limit=2",
        "/a?resourceVersion=99999999"
      })
  void list_futureVersion_timesOut(String query) {
    create("a");

    Answer answer = list(query);

    assertFailure(
        answer, 504, "Timeout", "Timeout: Too large resource version: 99999999, current: ");
    assertThat(answer.at("details", "causes", "0", "reason")).isEqualTo("ResourceVersionTooLarge");
    assertThat(answer.at("details", "retryAfterSeconds")).isEqualTo(1L);
    assertThat(answer.header("Retry-After")).isEqualTo("1");
  }

  static Stream<Arguments> invalidQueries() {
    String forbidden = "resourceVersionMatch: Forbidden: resourceVersionMatch ";
    return Stream.of(
        argumentSet(
            "match without version",
            "?resourceVersionMatch=Exact",
            422,
            forbidden + "is forbidden unless resourceVersion is provided"),
        argumentSet(
            "match with continue",
            "?resourceVersion=1&resourceVersionMatch=Exact&continue=x",
            422,
            forbidden + "is forbidden when continue is provided"),
        argumentSet(
            "unknown match",
            "?resourceVersion=1&resourceVersionMatch=Nope",
            422,
            "resourceVersionMatch: Unsupported value: \"Nope\": supported values: \"Exact\","
                + " \"NotOlderThan\", \"\""),
        argumentSet(
            "exactly any",
            "?resourceVersion=0&resourceVersionMatch=Exact",
            422,
            forbidden + "\"exact\" is forbidden for resourceVersion \"0\""),
        argumentSet(
            "initial events",
            "?sendInitialEvents=true",
            422,
            "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list"),
        argumentSet(
            "version not a number",
            "?resourceVersion=x",
            400,
            "strconv.ParseUint: parsing \"x\": invalid syntax"),
        argumentSet(
            "negative version",
            "?resourceVersion=-1",
            400,
            "strconv.ParseUint: parsing \"-1\": invalid syntax"),
        argumentSet(
            "limit not a number", "?limit=x", 400, "strconv.ParseInt: parsing \"x\": invalid"));
  }

  @ParameterizedTest
  @MethodSource("invalidQueries")
  void list_invalidQuery_isRefused(String query, int code, String message) {
    String reason = code == 422 ? "Invalid" : "BadRequest";
    assertFailure(list(query), code, reason, message);
  }

  /* --------------- Pages --------------- */

  @Test
  void list_limit_returnsPagesOfOneVersion() {
    createFive();

    Answer first = list("?limit=2");
    create("bb");
    api().delete(configMap("e"));
    Answer second = list("?limit=2&continue=" + token(first));
    Answer third = list("?limit=2&continue=" + token(second));

    assertThat(first.itemNames()).containsExactly("a", "b");
    assertThat(first.at("metadata", "remainingItemCount")).isEqualTo(3L);
    assertThat(second.itemNames()).containsExactly("c", "d");
    assertThat(second.at("metadata", "remainingItemCount")).isEqualTo(1L);
    assertThat(third.itemNames()).containsExactly("e");
    assertThat(JsonTree.asObject(third.at("metadata"))).doesNotContainKey("continue");
    assertThat(second.resourceVersion()).isEqualTo(first.resourceVersion());
    assertThat(third.resourceVersion()).isEqualTo(first.resourceVersion());
  }

  @Test
  void list_continueWithoutLimit_returnsTheRest() {
    createFive();

    assertThat(list("?continue=" + token(list("?limit=2"))).itemNames())
        .containsExactly("c", "d", "e");
  }

  @Test
  void list_limitAndSelector_countsWhatMatches() {
    createFive();

    Answer first = list("?limit=2&labelSelector=even%3Dyes");
    Answer second = list("?limit=2&labelSelector=even%3Dyes&continue=" + token(first));

    assertThat(first.itemNames()).containsExactly("a", "c");
    assertThat(JsonTree.asObject(first.at("metadata"))).doesNotContainKey("remainingItemCount");
    assertThat(second.itemNames()).containsExactly("e");
  }

  @Test
  void list_limitOfTheWhole_isTheLastPage() {
    createFive();

    Answer list = list("?limit=5");

    assertThat(list.itemNames()).hasSize(5);
    assertThat(JsonTree.asObject(list.at("metadata"))).doesNotContainKeys("continue");
  }

  @Test
  void list_limitAtAnyVersion_isIgnored() {
    createFive();

    // The cache of the real server may lag behind.
    eventually(() -> list("?limit=2&resourceVersion=0").itemNames().size() == 5);
  }

  @Test
  void list_limitAtAVersion_showsThePast() {
    createFive();

    Answer first = list("?limit=2&resourceVersion=" + versions[2]);

    assertThat(first.resourceVersion()).isEqualTo(versions[2]);
    assertThat(first.at("metadata", "remainingItemCount")).isEqualTo(1L);
    assertThat(list("?continue=" + token(first)).itemNames()).containsExactly("c");
  }

  @Test
  void list_continueWithAVersion_isRefused() {
    createFive();
    String token = token(list("?limit=2"));

    assertFailure(
        list("?resourceVersion=" + versions[0] + "&continue=" + token),
        400,
        "BadRequest",
        "specifying resource version is not allowed when using continue");
  }

  @Test
  void list_inconsistentToken_continuesWithTheCurrentVersion() {
    createFive();
    String token = encode("{\"v\":\"meta.k8s.io/v1\",\"rv\":-1,\"start\":\"c\\u0000\"}");

    assertThat(list("?continue=" + token).itemNames()).containsExactly("d", "e");
  }

  static Stream<Arguments> badTokens() {
    return Stream.of(
        argumentSet("not JSON", encode("nope"), ""),
        argumentSet("not base64", "***", ""),
        argumentSet(
            "no version", encode("{\"rv\":1,\"start\":\"a\"}"), "server does not recognize"),
        argumentSet(
            "no revision",
            encode("{\"v\":\"meta.k8s.io/v1\",\"start\":\"a\"}"),
            "incorrect encoded start resourceVersion"),
        argumentSet(
            "no start", encode("{\"v\":\"meta.k8s.io/v1\",\"rv\":1}"), "encoded start key empty"),
        argumentSet(
            "path", encode("{\"v\":\"meta.k8s.io/v1\",\"rv\":1,\"start\":\"/../a\"}"), "/../a"));
  }

  @ParameterizedTest
  @MethodSource("badTokens")
  void list_badToken_isABadRequest(String token, String message) {
    Answer answer = list("?continue=" + token);

    assertFailure(answer, 400, "BadRequest", "invalid continue token: continue key is not valid: ");
    assertThat(answer.message()).contains(message);
  }

  private static String encode(String token) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token.getBytes(UTF_8));
  }

  /* --------------- Selectors --------------- */

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "even=yes | a c e",
        "even==yes | a c e",
        "even!=yes | b d",
        "even | a c e",
        "!even | b d",
        "n in (1,3,9) | b d",
        "n notin (1,3) | a c e",
        "n>2 | d e",
        "n<2 | a b",
        "n>0,n<4,even | c",
        "n= | ''",
        "absent | ''"
      })
  void list_labelSelector_selects(String selector, String names) {
    createFive();

    assertThat(String.join(" ", list("?labelSelector=" + quote(selector)).itemNames()))
        .isEqualTo(names);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b c", "n in (", "=a", ",", "n=1,", "n>x", "a/b/c=d"})
  void list_badLabelSelector_isABadRequest(String selector) {
    assertFailure(list("?labelSelector=" + quote(selector)), 400, "BadRequest", "");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "metadata.name=b | b",
        "metadata.name!=b | a c d e",
        "metadata.name==b,metadata.namespace=other | ''",
        "metadata.namespace!=other | a b c d e",
        "metadata.name=b, | b"
      })
  void list_fieldSelector_selects(String selector, String names) {
    createFive();

    assertThat(String.join(" ", list("?fieldSelector=" + quote(selector)).itemNames()))
        .isEqualTo(names);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "spec.nodeName=n1 | q",
        "spec.nodeName= | p",
        "spec.nodeName!= | q",
        "status.phase=Pending | p q",
        "status.phase!=Pending | ''",
        "spec.restartPolicy=Always | p q",
        "metadata.name=p,spec.nodeName= | p"
      })
  void list_fieldSelectorOfPods_selects(String selector, String names) {
    createPod("p", "");
    createPod("q", "n1");

    Answer pods = api().get(core("pods") + "?fieldSelector=" + quote(selector));

    assertThat(String.join(" ", pods.itemNames())).isEqualTo(names);
  }

  static Stream<Arguments> badFieldSelectors() {
    return Stream.of(
        argumentSet("configmaps", "configmaps", "data.k=v", "data.k"),
        argumentSet("pods", "pods", "spec.nope=1", "field label not supported: spec.nope"),
        argumentSet(
            "secrets", "secrets", "metadata.uid=1", "field label not supported: metadata.uid"),
        argumentSet("no operator", "configmaps", "metadata.name", "metadata.name"));
  }

  @ParameterizedTest
  @MethodSource("badFieldSelectors")
  void list_badFieldSelector_isABadRequest(String resource, String selector, String message) {
    assertFailure(
        api().get(core(resource) + "?fieldSelector=" + quote(selector)),
        400,
        "BadRequest",
        message);
  }

  private static String quote(String text) {
    return URLEncoder.encode(text, UTF_8);
  }
}
