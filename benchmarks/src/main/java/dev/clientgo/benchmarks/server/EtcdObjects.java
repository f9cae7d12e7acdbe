package dev.clientgo.benchmarks.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Base64;

/**
 * Writes the objects of the {@link BenchServer} into the etcd of a real API server, many in one
 * transaction: 100,000 in seconds, for which the API would need minutes. An API server reads
 * objects in JSON from etcd too, although it writes protobuf.
 */
public final class EtcdObjects {

  /** The most operations that etcd allows in one transaction are 128. */
  private static final int BATCH = 100;

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI transactions;

  private EtcdObjects(URI etcd) {
    this.transactions = etcd.resolve("/v3/kv/txn");
  }

  /**
   * Writes objects.
   *
   * @param plural {@code pods} or {@code configmaps}
   */
  public static void write(URI etcd, String plural, int count, int namespaces)
      throws IOException, InterruptedException {
    new EtcdObjects(etcd).write(Objects.of(plural, count, namespaces));
  }

  private void write(Objects objects) throws IOException, InterruptedException {
    for (int from = 0; from < objects.count(); from += BATCH) {
      StringBuilder transaction = new StringBuilder("{\"success\":[");
      for (int i = from; i < Math.min(from + BATCH, objects.count()); i++) {
        ByteArrayOutputStream object = new ByteArrayOutputStream();
        objects.write(object, i, /* version= */ 0, /* time= */ 0);
        String key =
            "/registry/"
                + objects.plural()
                + "/team-"
                + objects.namespace(i)
                + "/"
                + objects.name(i);
        transaction
            .append(i == from ? "" : ",")
            .append("{\"requestPut\":{\"key\":\"")
            .append(base64(key.getBytes(UTF_8)))
            .append("\",\"value\":\"")
            .append(base64(object.toByteArray()))
            .append("\"}}");
      }
      send(transaction.append("]}").toString());
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  private void send(String transaction) throws IOException, InterruptedException {
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(transactions)
                .POST(HttpRequest.BodyPublishers.ofString(transaction))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IOException("etcd has refused objects: " + response.body());
    }
  }
}
