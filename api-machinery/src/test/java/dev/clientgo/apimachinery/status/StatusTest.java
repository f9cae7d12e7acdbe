package dev.clientgo.apimachinery.status;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import org.junit.jupiter.api.Test;

final class StatusTest {

  private static final String STATUS =
      "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\"pods"
          + " \\\"a\\\" not"
          + " found\",\"reason\":\"NotFound\",\"details\":{\"name\":\"a\",\"kind\":\"pods\"},"
          + "\"code\":404}";

  /** Without its kind, a reader could not recognize it. */
  @Test
  void codec_ofAnAnswer_readsAndWritesAllOfIt() {
    Status status = Status.CODEC.read(JsonReader.of(STATUS.getBytes(UTF_8)));

    assertThat(status.details().name()).isEqualTo("a");
    assertThat(new String(JsonWriter.toBytes(Status.CODEC, status), UTF_8)).isEqualTo(STATUS);
  }
}
