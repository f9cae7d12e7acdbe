package dev.clientgo.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.HttpUrl;
import okio.Buffer;
import okio.ByteString;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A server that answers as one has answered when an exchange was recorded, and clients that ask it.
 * Their requests must be those that were recorded.
 */
final class Replay implements AutoCloseable {

  private static final JsonMapper MAPPER = JsonMapper.shared();
  private static final int CHUNK = 1000;

  private final MockWebServer server = new MockWebServer();
  private final List<RESTClient> clients = new ArrayList<>();
  private final Queue<String> differences = new ConcurrentLinkedQueue<>();
  private final Queue<Exchange> asked = new ConcurrentLinkedQueue<>();
  private final Path folder;
  private final Exchange exchange;
  private final List<Exchange> all = new ArrayList<>();

  private Replay(Path folder, Exchange exchange) {
    this.folder = folder;
    this.exchange = exchange;
    this.all.add(exchange);
    server.setDispatcher(
        new Dispatcher() {
          @Override
          public MockResponse dispatch(RecordedRequest request) {
            return answer(request);
          }
        });
  }

  /** Replays an exchange. */
  static Replay of(Path folder, String name) throws IOException {
    return of(folder, Exchange.read(folder, name));
  }

  /** Replays an exchange that is not as it was recorded. */
  static Replay of(Path folder, Exchange exchange) throws IOException {
    Replay replay = new Replay(folder, exchange);
    replay.server.start();
    return replay;
  }

  /** Replays another exchange, too. */
  Replay and(String name) {
    all.add(Exchange.read(folder, name));
    return this;
  }

  /** Returns the exchange as it was recorded. */
  Exchange exchange() {
    return exchange;
  }

  /** Returns another exchange as it was recorded. */
  Exchange other(String name) {
    return Exchange.read(folder, name);
  }

  /** Returns the body of the recorded answer. */
  JsonNode json() {
    return MAPPER.readTree(exchange.answer().body().utf8());
  }

  /** Returns whether the recorded answer is an error. */
  boolean isError() {
    return exchange.answer().code() >= 400;
  }

  /** Returns a parameter of the recorded request. */
  @Nullable String parameter(String name) {
    return url(exchange.question().target()).queryParameter(name);
  }

  /** Returns a segment of the path of the recorded request. */
  String segment(int index) {
    return url(exchange.question().target()).pathSegments().get(index);
  }

  /** Returns a client that reads JSON. */
  RESTClient client() {
    return client(config -> config.contentType("application/json"));
  }

  /** Returns a client that is configured otherwise. */
  RESTClient client(Consumer<RestConfig.Builder> settings) {
    RestConfig.Builder config = RestConfig.builder("http://127.0.0.1:" + server.getPort());
    settings.accept(config);
    RESTClient client = RESTClient.create(config.build());
    clients.add(client);
    return client;
  }

  /** Returns typed clients that read JSON. */
  Clientset clients() {
    return Clientset.of(client());
  }

  /** Checks that the recorded requests were sent, and no others. */
  void verify() {
    assertThat(differences).isEmpty();
    assertThat(asked).containsAll(all);
  }

  @Override
  public void close() {
    clients.forEach(RESTClient::close);
    try {
      server.close();
    } catch (AssertionError e) {
      // It gives its threads five seconds, which a machine that stalls may not have.
      System.err.println(e.getMessage());
    }
  }

  /* --------------- Answers --------------- */

  private MockResponse answer(RecordedRequest request) {
    Exchange recorded = find(request);
    if (recorded == null) {
      differences.add(request.getMethod() + " " + request.getTarget() + " was not recorded");
      return new MockResponse.Builder().code(500).build();
    }
    asked.add(recorded);
    compare(recorded.question(), request);
    return response(recorded.answer());
  }

  /** The one with the same parameters, if there are several. */
  private @Nullable Exchange find(RecordedRequest request) {
    HttpUrl sent = url(request.getTarget());
    Exchange found = null;
    for (Exchange each : all) {
      HttpUrl url = url(each.question().target());
      if (url.encodedPath().equals(sent.encodedPath())
          && (found == null || parameters(url).equals(parameters(sent)))) {
        found = each;
      }
    }
    return found;
  }

  private static MockResponse response(Exchange.Answer answer) {
    MockResponse.Builder response =
        new MockResponse.Builder()
            .status("HTTP/1.1 " + answer.code() + " " + answer.phrase())
            .headers(
                answer
                    .headers()
                    .newBuilder()
                    .removeAll("Transfer-Encoding")
                    .removeAll("Content-Length")
                    .build());
    Buffer body = new Buffer().write(answer.body());
    boolean chunked = answer.headers().get("Transfer-Encoding") != null;
    return (answer.code() == 204
            ? response
            : chunked ? response.chunkedBody(body, CHUNK) : response.body(body))
        .build();
  }

  /* --------------- Requests --------------- */

  private void compare(Exchange.Question recorded, RecordedRequest sent) {
    same("method", recorded.method(), sent.getMethod());
    HttpUrl wanted = url(recorded.target());
    HttpUrl url = url(sent.getTarget());
    same("path", wanted.encodedPath(), url.encodedPath());
    Map<String, List<String>> parameters = parameters(url);
    parameters.remove("timeout"); // How long we wait, which the server is told.
    same("parameters", parameters(wanted), parameters);
    same(
        "Accept",
        firstType(recorded.headers().get("Accept")),
        firstType(sent.getHeaders().get("Accept")));
    if (recorded.body().size() > 0) {
      same(
          "Content-Type",
          firstType(recorded.headers().get("Content-Type")),
          firstType(sent.getHeaders().get("Content-Type")));
    }
    compareBodies(recorded.body(), sent.getBody() == null ? ByteString.EMPTY : sent.getBody());
  }

  private void compareBodies(ByteString recorded, ByteString sent) {
    // As client-go does, we always say how to delete.
    Object wanted =
        recorded.size() == 0 && sent.size() > 0 ? MAPPER.readTree(NO_OPTIONS) : tree(recorded);
    same("body", wanted, tree(sent));
  }

  private static final String NO_OPTIONS = "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\"}";

  private static Object tree(ByteString body) {
    try {
      return MAPPER.readTree(body.utf8());
    } catch (JacksonException e) {
      return body;
    }
  }

  private void same(String what, Object recorded, Object sent) {
    if (!sent.equals(recorded)) {
      differences.add(what + ": recorded was " + recorded + ", sent was " + sent);
    }
  }

  /** The media type that is wanted most, with its parameters in any order. */
  private static List<Object> firstType(@Nullable String header) {
    String[] parts =
        String.valueOf(header).toLowerCase(Locale.ROOT).split(",", -1)[0].split(";", -1);
    return List.of(parts[0].strip(), new TreeSet<>(Arrays.asList(parts).subList(1, parts.length)));
  }

  private static HttpUrl url(String target) {
    return HttpUrl.get("http://server" + target);
  }

  private static Map<String, List<String>> parameters(HttpUrl url) {
    Map<String, List<String>> parameters = new TreeMap<>();
    for (String name : url.queryParameterNames()) {
      parameters.put(name, url.queryParameterValues(name));
    }
    return parameters;
  }
}
