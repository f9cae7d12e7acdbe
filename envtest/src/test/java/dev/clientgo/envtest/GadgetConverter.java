package dev.clientgo.envtest;

import static java.util.Objects.requireNonNull;

import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.rest.certificates.CertificateAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;

/**
 * A conversion webhook of gadgets: {@code v1} has a host, {@code v2} a list of hosts. A test can
 * change what it returns.
 */
final class GadgetConverter extends Dispatcher implements AutoCloseable {

  private static final CertificateAuthority AUTHORITY =
      CertificateAuthority.create(Clock.system(), "gadgets");

  private final MockWebServer http = new MockWebServer();

  /** The reviews that the API server has sent. */
  final List<Map<String, Object>> reviews = new CopyOnWriteArrayList<>();

  private volatile UnaryOperator<Map<String, Object>> objects = UnaryOperator.identity();
  private volatile UnaryOperator<Map<String, Object>> answers = UnaryOperator.identity();
  private volatile String failure = "";

  GadgetConverter() {
    try {
      http.useHttps(AUTHORITY.issueServer("127.0.0.1").socketFactory(null));
      http.setDispatcher(this);
      http.start(InetAddress.getLoopbackAddress(), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns where the webhook is, for a definition. */
  String clientConfig() {
    byte[] authority = AUTHORITY.certificatePem().getBytes(StandardCharsets.US_ASCII);
    return "{'url':'https://127.0.0.1:%d/convert','caBundle':'%s'}"
        .formatted(http.getPort(), Base64.getEncoder().encodeToString(authority));
  }

  /** Changes each converted object. */
  void changeObjects(UnaryOperator<Map<String, Object>> change) {
    objects = change;
  }

  /** Changes each answer. */
  void changeAnswers(UnaryOperator<Map<String, Object>> change) {
    answers = change;
  }

  /** Answers with an error of HTTP that has this text; none if it is empty. */
  void fail(String text) {
    failure = text;
  }

  @Override
  public void close() {
    http.close();
  }

  @Override
  public MockResponse dispatch(RecordedRequest request) {
    if (!failure.isEmpty()) {
      return new MockResponse.Builder().code(500).body(failure).build();
    }
    Map<String, Object> review =
        JsonTree.asObject(JsonText.parse(requireNonNull(request.getBody()).toByteArray()));
    reviews.add(review);
    String version = JsonTree.string(review, "request", "desiredAPIVersion");
    List<Map<String, Object>> converted =
        JsonTree.objects(review, "request", "objects").stream()
            .map(object -> objects.apply(converted(object, version)))
            .toList();
    Map<String, Object> answer =
        JsonTree.of(
            "apiVersion", review.get("apiVersion"),
            "kind", "ConversionReview",
            "response",
                JsonTree.of(
                    "uid", JsonTree.string(review, "request", "uid"),
                    "result", Map.of("status", "Success"),
                    "convertedObjects", converted));
    return new MockResponse.Builder()
        .addHeader("Content-Type", "application/json")
        .body(JsonText.text(answers.apply(answer)))
        .build();
  }

  private static Map<String, Object> converted(Map<String, Object> object, String apiVersion) {
    Map<String, Object> converted = new LinkedHashMap<>(object);
    converted.put("apiVersion", apiVersion);
    Object host = converted.remove("host");
    List<String> hosts = JsonTree.strings(object, "hosts");
    converted.remove("hosts");
    if (apiVersion.endsWith("/v2")) {
      converted.put("hosts", host == null ? hosts : List.of(host));
    } else if (!hosts.isEmpty()) {
      converted.put("host", hosts.get(0));
    }
    return converted;
  }

  /** Returns a tree with another value at a path; null removes the field. */
  static Map<String, Object> with(Map<String, Object> tree, Object value, String... path) {
    Map<String, Object> changed = new LinkedHashMap<>(tree);
    if (path.length > 1) {
      String[] rest = Arrays.copyOfRange(path, 1, path.length);
      changed.put(path[0], with(JsonTree.object(tree, path[0]), value, rest));
    } else if (value == REMOVED) {
      changed.remove(path[0]);
    } else {
      changed.put(path[0], value);
    }
    return changed;
  }

  /** Stands for no value. */
  static final Object REMOVED = new Object();
}
