package dev.clientgo.examples.podservice;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.serializer.ResourceList;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.Lesson;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Command;

/** Lesson 13 of the guide: a web service that answers from the cache of an informer. */
@Command(
    name = "web-service",
    description =
        "Starts the service of pod-service, asks it over HTTP, prints requests and answers,"
            + " and ends. It starts its own server.")
public final class WebServiceLesson extends Lesson {

  private static final Duration SYNC_TIMEOUT = Duration.ofSeconds(30);

  private final HttpClient http = HttpClient.newHttpClient();

  /** The command line parser calls this. */
  public WebServiceLesson() {}

  @Override
  public void run(Cluster cluster, RESTClient client, PrintWriter out)
      throws IOException, InterruptedException {
    cluster.requireOwn();
    ResourceClient<Pod> pods = client.resource(Pod.TYPE).inNamespace("default");
    pods.create(pod("web-0", "web", "node-1"));
    pods.create(pod("web-1", "web", "node-2"));
    Pod newest = pods.create(pod("db-0", "db", "node-1"));

    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (PodService service = new PodService(client, address, PodServiceOptions.DEFAULTS)) {
      service.start();
      service.awaitSynced(SYNC_TIMEOUT);
      URI root = URI.create("http://localhost:" + service.port());

      out.println("== Labels and fields");
      get(root, "/pods?label=app%3Dweb&resourceVersion=" + version(newest), "", out);
      get(root, "/pods?node=node-1", "", out);
      get(root, "/pods?node=node-1&label=app%3Dweb", "", out);
      get(root, "/pods?phase=running", "", out);

      out.println("== Pages");
      String token = get(root, "/pods?namespace=default&limit=2", "", out).continueToken();
      get(root, "/pods?namespace=default&limit=2&continue=" + token, "", out);

      out.println("== ETag");
      String tag = get(root, "/pods?label=app%3Ddb", "", out).tag();
      get(root, "/pods?label=app%3Ddb", tag, out);

      out.println("== The answer has my own write");
      Pod written = pods.create(pod("db-1", "db", "node-2"));
      get(root, "/pods?label=app%3Ddb&resourceVersion=" + version(written), tag, out);

      out.println("== A stream of the pods with app=web");
      stream(root, pods, version(written), out);

      if (cluster.embeddedServer().isPresent()) {
        out.println("== The API server is away");
        cluster.embeddedServer().get().stop();
        get(root, "/pods?label=app%3Ddb", "", out);
      }
    }
  }

  /** What the next request takes from an answer. */
  private record Answer(String continueToken, String tag) {}

  private Answer get(URI root, String path, String tag, PrintWriter out)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(root.resolve(path));
    out.println(
        "> GET "
            + path.replaceAll("continue=.*", "continue=…")
            + (tag.isEmpty() ? "" : ", If-None-Match: " + tag));
    if (!tag.isEmpty()) {
      request.header("If-None-Match", tag);
    }
    HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
    String etag = response.headers().firstValue("ETag").orElse("");
    String age = response.headers().firstValue("Age").isPresent() ? ", Age: …" : "";
    out.println("< " + response.statusCode() + (etag.isEmpty() ? "" : ", ETag: " + etag) + age);
    if (response.statusCode() != 200) {
      response.body().lines().forEach(line -> out.println("<   " + line));
      return new Answer("", etag);
    }
    ResourceList<Pod> list =
        JsonReader.fromBytes(Pod.TYPE.listCodec(), response.body().getBytes(UTF_8));
    String token = Objects.requireNonNullElse(list.metadata().continueToken(), "");
    out.println(
        "<   "
            + list.stream().map(pod -> pod.metadata().name()).toList()
            + (token.isEmpty() ? "" : ", and a token for the next page"));
    return new Answer(token, etag);
  }

  private void stream(URI root, ResourceClient<Pod> pods, String version, PrintWriter out)
      throws IOException, InterruptedException {
    String path = "/watch?label=app%3Dweb&resourceVersion=" + version;
    out.println("> GET " + path);
    HttpRequest request = HttpRequest.newBuilder(root.resolve(path)).build();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                http.send(request, BodyHandlers.ofInputStream()).body(), UTF_8))) {
      pods.create(pod("web-2", "web", "node-1"));
      print(lines, out);
      pods.edit("web-2", pod -> pod.with(p -> p.editMetadata(m -> m.labels(Map.of("app", "old")))));
      print(lines, out);
    }
  }

  /** Prints the next event without its data. */
  private static void print(BufferedReader lines, PrintWriter out) throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("id: ") || line.startsWith("event: ")) {
        out.println("< " + line);
      } else if (line.startsWith("data: ")) {
        return;
      }
    }
    throw new IOException("the stream has ended");
  }

  private static String version(Pod pod) {
    return Objects.requireNonNull(pod.metadata().resourceVersion());
  }

  private static Pod pod(String name, String app, String node) {
    return Pod.of(
        "default",
        name,
        pod ->
            pod.editMetadata(m -> m.labels(Map.of("app", app)))
                .editSpec(
                    s -> s.nodeName(node).editContainers("main", c -> c.image("nginx:1.29"))));
  }
}
