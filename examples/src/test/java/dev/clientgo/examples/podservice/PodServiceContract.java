package dev.clientgo.examples.podservice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.meta.OwnerReference;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.junit.TestNamespace;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodPhase;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The service answers alike, whatever API server it follows. Designed for extension. */
@Timeout(300)
abstract class PodServiceContract {

  static final Duration WAIT = Duration.ofSeconds(60);

  final HttpClient http = HttpClient.newHttpClient();
  String namespace = "";
  ResourceClient<Pod> pods;
  PodService service;

  /** Waits long, so that a test also holds on a busy machine. */
  static final PodServiceOptions OPTIONS =
      new PodServiceOptions(1000, 10, Duration.ofMillis(100), WAIT, WAIT, WAIT);

  @BeforeEach
  void startService(RESTClient client, @TestNamespace String name) throws Exception {
    namespace = name;
    pods = client.resource(Pod.TYPE).inNamespace(name);
    service = start(client, OPTIONS);
  }

  static PodService start(RESTClient client, PodServiceOptions options) throws Exception {
    PodService started = startWithoutWaiting(client, options);
    assertThat(started.awaitSynced(WAIT)).isTrue();
    return started;
  }

  static PodService startWithoutWaiting(RESTClient client, PodServiceOptions options)
      throws Exception {
    PodService started =
        new PodService(client, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), options);
    started.start();
    return started;
  }

  @AfterEach
  void stopService() {
    service.close();
  }

  Pod create(String name, String app, String node) throws InterruptedException {
    return pods.create(
        Pod.of(
            namespace,
            name,
            pod ->
                pod.editMetadata(
                        m ->
                            m.labels(Map.of("app", app))
                                .ownerReferences(List.of(owner("web-" + app))))
                    .editSpec(
                        s -> s.nodeName(node).editContainers("main", c -> c.image("nginx:1.29")))));
  }

  private static OwnerReference owner(String name) {
    return OwnerReference.builder()
        .apiVersion("apps/v1")
        .kind("ReplicaSet")
        .name(name)
        .uid("1-" + name)
        .build();
  }

  String url(String pathAndQuery) {
    return "http://127.0.0.1:" + service.port() + pathAndQuery;
  }

  HttpResponse<String> get(String pathAndQuery, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url(pathAndQuery)));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return http.send(request.timeout(WAIT).build(), BodyHandlers.ofString());
  }

  static Unstructured json(HttpResponse<String> response) {
    return Unstructured.parseYaml(response.body()).get(0);
  }

  static List<String> names(HttpResponse<String> list) {
    assertThat(list.statusCode()).as(list.body()).isEqualTo(200);
    return JsonReader.fromBytes(Pod.TYPE.listCodec(), list.body().getBytes(UTF_8)).stream()
        .map(pod -> pod.metadata().name())
        .toList();
  }

  private List<String> names(String filters, Pod newest) throws Exception {
    return names(
        get(
            "/pods?namespace=%s&resourceVersion=%s&%s"
                .formatted(namespace, newest.metadata().resourceVersion(), filters)));
  }

  @Test
  void pods_byEachFilter() throws Exception {
    create("b", "web", "node-1");
    create("a", "web", "node-2");
    create("c", "db", "node-2");
    Pod running = pods.get("c").with(p -> p.editStatus(s -> s.phase(PodPhase.RUNNING)));
    Pod newest = pods.updateStatus(running);

    assertThat(names("", newest)).containsExactly("a", "b", "c");
    assertThat(names("label=" + encoded("app in (web, cache)"), newest)).containsExactly("a", "b");
    assertThat(names("label=app%3Dweb,!canary&node=node-1", newest)).containsExactly("b");
    assertThat(names("node=node-2", newest)).containsExactly("a", "c");
    assertThat(names("phase=Running", newest)).containsExactly("c");
    assertThat(names("owner=ReplicaSet/web-db&node=&phase=", newest)).containsExactly("c");
    assertThat(names("owner=ReplicaSet/web-db&node=node-1", newest)).isEmpty();
    assertThat(json(get("/pods/" + namespace + "/c")).nestedString("status", "phase"))
        .contains("Running");
    assertThat(get("/pods/" + namespace + "/d").statusCode()).isEqualTo(404);
  }

  @Test
  void answers_sayHowOldTheyMayBe() throws Exception {
    String version = create("a", "web", "node-1").metadata().resourceVersion();

    for (String path : List.of("/pods?resourceVersion=" + version, "/pods/" + namespace + "/a")) {
      assertThat(get(path).headers().firstValueAsLong("Age").orElse(-1))
          .as(path)
          .isBetween(0L, WAIT.toSeconds());
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  @Test
  void pages_whilePodsComeAndGo_haveEachLastingPodOnce() throws Exception {
    for (int i = 0; i < 7; i++) {
      create("pod-" + i, "web", "node-1");
    }
    List<String> seen = new ArrayList<>();
    String path = "/pods?limit=3&namespace=" + namespace;
    String version = pods.get("pod-6").metadata().resourceVersion();
    String token = "";
    do {
      HttpResponse<String> page = get(path + "&continue=" + token + "&resourceVersion=" + version);
      seen.addAll(names(page));
      if (seen.size() == 3) {
        assertThat(json(page).nestedLong("metadata", "remainingItemCount")).contains(4L);
        pods.delete("pod-2"); // On the first page.
        version = create("pod-1a", "web", "node-1").metadata().resourceVersion();
      }
      token = json(page).nestedString("metadata", "continue").orElse("");
    } while (!token.isEmpty());

    assertThat(seen).containsExactly("pod-0", "pod-1", "pod-2", "pod-3", "pod-4", "pod-5", "pod-6");
  }

  @Test
  void etag_untilSomethingChanges_answersNotModified() throws Exception {
    Pod pod = create("a", "web", "node-1");
    String path = "/pods?namespace=" + namespace;
    String one = "/pods/" + namespace + "/a";
    String version = pod.metadata().resourceVersion();
    get(path + "&resourceVersion=" + version);
    String tag = get(one).headers().firstValue("ETag").orElseThrow();

    assertThat(tag).isEqualTo("\"" + version + "\"");
    HttpResponse<String> same = get(one, "If-None-Match", "\"1\", W/" + tag);
    assertThat(same.statusCode()).isEqualTo(304);
    assertThat(same.body()).isEmpty();
    String listTag = get(path).headers().firstValue("ETag").orElseThrow();

    Pod changed = pods.edit("a", p -> p.with(e -> e.editMetadata(m -> m.labels(Map.of("a", "b")))));

    String fresh = path + "&resourceVersion=" + changed.metadata().resourceVersion();
    assertThat(get(fresh, "If-None-Match", listTag).statusCode()).isEqualTo(200);
    assertThat(get(one, "If-None-Match", tag).statusCode()).isEqualTo(200);
  }

  @Test
  void otherPathsAndMethods_areErrors() throws Exception {
    assertThat(get("/").statusCode()).isEqualTo(404);
    assertThat(get("/pods/a").body()).contains("/pods/NAMESPACE/NAME");
    HttpRequest post =
        HttpRequest.newBuilder(URI.create(url("/pods")))
            .POST(HttpRequest.BodyPublishers.ofString("{}"))
            .build();
    HttpResponse<String> refused = http.send(post, BodyHandlers.ofString());
    assertThat(refused.statusCode()).isEqualTo(405);
    assertThat(refused.headers().firstValue("Allow")).contains("GET, HEAD");
  }

  @Test
  void watch_sendsPodsThenChanges_andGoesOnWhereAClientWas() throws Exception {
    create("a", "web", "node-1");
    Pod last = create("other", "db", "node-1");
    get("/pods?resourceVersion=" + last.metadata().resourceVersion());
    String path = "/watch?label=app%3Dweb&namespace=" + namespace;
    String id;
    try (EventStream stream = EventStream.open(http, url(path), "")) {
      EventStream.Event first = stream.take();
      assertThat(first.name()).isEqualTo("ADDED a");
      assertThat(first.id()).isEmpty();
      EventStream.Event bookmark = stream.take();
      assertThat(bookmark.type()).isEqualTo("BOOKMARK");
      assertThat(bookmark.id()).isEqualTo(bookmark.data().metadata().resourceVersion());

      create("b", "web", "node-1");
      pods.edit("other", p -> p.with(e -> e.editMetadata(m -> m.labels(Map.of("app", "web")))));
      pods.edit("a", p -> p.with(e -> e.editMetadata(m -> m.labels(Map.of("app", "old")))));

      EventStream.Event added = stream.take();
      assertThat(added.name()).isEqualTo("ADDED b");
      id = added.id();
      assertThat(id).isEqualTo(added.data().metadata().resourceVersion());
      assertThat(stream.take().name()).isEqualTo("ADDED other");
      assertThat(stream.take().name()).isEqualTo("DELETED a");
    }
    Pod changed =
        pods.edit("b", p -> p.with(e -> e.editMetadata(m -> m.annotations(Map.of("x", "y")))));
    pods.delete("b", DeleteOptions.builder().gracePeriod(Duration.ZERO).build());

    try (EventStream stream = EventStream.open(http, url(path), id)) {
      assertThat(stream.take().name()).isEqualTo("ADDED other");
      assertThat(stream.take().name()).isEqualTo("DELETED a");
      EventStream.Event modified = stream.take();
      assertThat(modified.name()).isEqualTo("MODIFIED b");
      assertThat(modified.id()).isEqualTo(changed.metadata().resourceVersion());
      assertThat(stream.await("DELETED").name()).isEqualTo("DELETED b");
    }
    String version = changed.metadata().resourceVersion();
    try (EventStream stream =
        EventStream.open(http, url(path + "&resourceVersion=" + version), "")) {
      assertThat(stream.await("DELETED").name()).isEqualTo("DELETED b");
    }
  }

  @Test
  void version_thatTheCacheDoesNotReach_isATimeout(RESTClient client) throws Exception {
    service.close();
    service = start(client, new PodServiceOptions(5, 1, WAIT, WAIT, Duration.ofMillis(1), WAIT));

    HttpResponse<String> response = get("/watch?resourceVersion=9000000000000");

    assertThat(response.statusCode()).isEqualTo(504);
    assertThat(response.headers().firstValue("Retry-After")).contains("1");
  }

  @Test
  void healthz_ofAFreshCache_tellsItsAge() throws Exception {
    HttpResponse<String> response = get("/healthz");

    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    Unstructured health = json(response);
    assertThat(health.nestedString("status")).contains("ok");
    assertThat(health.nestedString("state")).isPresent();
    assertThat(response.body()).contains("\"ageSeconds\":").contains("\"streams\":0");
  }
}
