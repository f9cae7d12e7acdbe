package dev.clientgo.rest.discovery;

import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;

/** A server that answers each path with what it is told, and 404 otherwise. */
final class DiscoveryServer implements AutoCloseable {

  private static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

  private final MockWebServer server = new MockWebServer();
  private final Map<String, MockResponse> answers = new ConcurrentHashMap<>();
  private final Map<String, MockResponse> failures = new ConcurrentHashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final RESTClient client;

  DiscoveryServer() throws IOException {
    server.setDispatcher(
        new Dispatcher() {
          @Override
          public MockResponse dispatch(RecordedRequest request) {
            String target = request.getTarget();
            String path = target.replaceFirst("\\?timeout=32s$", "");
            MockResponse failure = failures.remove(path);
            if (failure != null) {
              return failure;
            }
            MockResponse answer =
                answers.getOrDefault(path, new MockResponse.Builder().code(404).build());
            String tag = answer.getHeaders().get("ETag");
            boolean same = tag != null && tag.equals(request.getHeaders().get("If-None-Match"));
            requests.add(same ? path + " unchanged" : path);
            return same ? new MockResponse.Builder().code(304).build() : answer;
          }
        });
    server.start(java.net.InetAddress.getLoopbackAddress(), 0);
    client = RESTClient.create(RestConfig.builder("http://127.0.0.1:" + server.getPort()).build());
  }

  RESTClient client() {
    return client;
  }

  DiscoveryClient discovery() {
    return DiscoveryClient.of(client);
  }

  /** Returns the paths that were asked for, and forgets them. */
  List<String> requests() {
    List<String> all = List.copyOf(requests);
    requests.clear();
    return all;
  }

  RecordedRequest take() throws InterruptedException {
    return server.takeRequest();
  }

  DiscoveryServer fail(String path, int code) {
    answers.put(path, new MockResponse.Builder().code(code).build());
    return this;
  }

  DiscoveryServer failOnce(String path, int code) {
    failures.put(path, new MockResponse.Builder().code(code).build());
    return this;
  }

  DiscoveryServer json(String path, String body) {
    return answer(path, "application/json", body);
  }

  DiscoveryServer aggregated(String path, String items) {
    return answer(
        path,
        AGGREGATED,
        "{\"kind\":\"APIGroupDiscoveryList\",\"apiVersion\":\"apidiscovery.k8s.io/v2\",\"items\":["
            + items
            + "]}");
  }

  DiscoveryServer answer(String path, String contentType, String body) {
    answers.put(
        path, new MockResponse.Builder().setHeader("Content-Type", contentType).body(body).build());
    return this;
  }

  /** As {@link #aggregated}, with an ETag. */
  DiscoveryServer tagged(String path, String tag, String items) {
    aggregated(path, items);
    answers.computeIfPresent(
        path, (unused, answer) -> answer.newBuilder().setHeader("ETag", tag).build());
    return this;
  }

  /** Serves groups in the older form, such as {@code apps/v1 apps/v1beta1}, preferred first. */
  DiscoveryServer legacyGroups(String... groups) {
    StringBuilder list = new StringBuilder();
    for (String versions : groups) {
      StringBuilder entries = new StringBuilder();
      String preferred = "";
      for (String version : versions.split(" ", -1)) {
        String entry =
            "{\"groupVersion\":\""
                + version
                + "\",\"version\":\""
                + version.substring(version.indexOf('/') + 1)
                + "\"}";
        preferred = preferred.isEmpty() ? entry : preferred;
        entries.append(entries.isEmpty() ? "" : ",").append(entry);
      }
      list.append(list.isEmpty() ? "" : ",")
          .append("{\"name\":\"")
          .append(versions, 0, versions.indexOf('/'))
          .append("\",\"versions\":[")
          .append(entries)
          .append("],\"preferredVersion\":")
          .append(preferred)
          .append("}");
    }
    return json("/apis", "{\"kind\":\"APIGroupList\",\"groups\":[" + list + "]}");
  }

  /** Serves resources in the older form: {@code plural Kind [shortName]}. */
  DiscoveryServer legacyResources(String path, String... resources) {
    StringBuilder list = new StringBuilder();
    for (String resource : resources) {
      list.append(list.isEmpty() ? "" : ",").append(legacy(resource));
    }
    return json(path, "{\"kind\":\"APIResourceList\",\"resources\":[" + list + "]}");
  }

  private static String legacy(String resource) {
    String[] words = resource.split(" ", -1);
    return "{\"name\":\""
        + words[0]
        + "\",\"singularName\":\"\",\"namespaced\":true,\"kind\":\""
        + words[1]
        + "\",\"verbs\":[\"get\",\"list\"]"
        + (words.length > 2 ? ",\"shortNames\":[\"" + words[2] + "\"]" : "")
        + "}";
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
