package dev.clientgo.envtest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;

/** Compacts etcd, as a kube-apiserver does every five minutes. */
final class EtcdCompaction {

  private EtcdCompaction() {}

  /** Makes etcd forget everything before a version. */
  static void compact(KubeApiServer server, String revision) throws IOException {
    URI uri = server.etcdUrl().resolve("/v3/kv/compaction");
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    connection.setRequestMethod("POST");
    connection.setDoOutput(true);
    connection
        .getOutputStream()
        .write("{\"revision\": \"%s\", \"physical\": true}".formatted(revision).getBytes(UTF_8));
    int code = connection.getResponseCode();
    try (InputStream body =
        code < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      String answer = new String(body.readAllBytes(), UTF_8);
      // Nothing was written since the last compaction.
      assertThat(code == 200 || answer.contains("has been compacted")).as(answer).isTrue();
    }
  }
}
