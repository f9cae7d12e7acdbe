package dev.clientgo.benchmarks.requests;

import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RestConfig;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/**
 * One way to get a ConfigMap from a server: ours, or a bare HTTP client that does not decode it.
 */
interface Getter extends AutoCloseable {

  /** Gets it once, and returns how long it is, or would be. */
  int get() throws Exception;

  @Override
  default void close() {}

  /** Returns a way by its name: {@code client-go}, {@code okhttp} or {@code java.net.http}. */
  static Getter of(String name, String url) {
    URI object = URI.create(url + "/api/v1/namespaces/default/configmaps/small");
    return switch (name) {
      case "client-go" -> ours(url);
      case "okhttp" -> okhttp(object);
      default -> jdk(object);
    };
  }

  private static Getter ours(String url) {
    RESTClient client = RESTClient.create(RestConfig.builder(url).build());
    ResourceClient<Unstructured> maps =
        client.dynamic(new GroupVersionResource("", "v1", "configmaps")).inNamespace("default");
    return new Getter() {
      @Override
      public int get() throws InterruptedException {
        return maps.get("small").nestedString("data", "key").orElseThrow().length();
      }

      @Override
      public void close() {
        client.close();
      }
    };
  }

  private static Getter okhttp(URI object) {
    ConnectionPool pool = new ConnectionPool(64, 1, java.util.concurrent.TimeUnit.MINUTES);
    OkHttpClient client = new OkHttpClient.Builder().connectionPool(pool).build();
    Request request = new Request.Builder().url(object.toString()).build();
    return () -> {
      try (Response response = client.newCall(request).execute()) {
        return response.body().bytes().length;
      }
    };
  }

  private static Getter jdk(URI object) {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    HttpRequest request = HttpRequest.newBuilder(object).build();
    return () -> client.send(request, HttpResponse.BodyHandlers.ofByteArray()).body().length;
  }
}
