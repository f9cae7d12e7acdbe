package dev.clientgo.apimachinery.watch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class WatchDecoderTest {

  @Test
  void next_goodAndBadEvents_goesOn() throws IOException {
    assertThat(
            events(
                """
                {"type":"ADDED","object":{"kind":"A","metadata":{"name":"a"}}}
                {"type":"ADDED","object":{"kind":7,"metadata":{"name":"b","namespace":"n"}}}
                {"object":{"kind":"A","metadata":{"name":"a"}},"type":"DELETED"}
                {"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7"}}}
                """))
        .satisfiesExactly(
            e -> assertThat(e).isInstanceOf(WatchEvent.Added.class),
            e ->
                assertThat(e)
                    .hasToString(
                        "Failed[error=dev.clientgo.apimachinery.errors.CodecException: expected a"
                            + " string, found a number at /object/kind (byte 96) in object n/b]"),
            e -> assertThat(e).isInstanceOf(WatchEvent.Deleted.class),
            e -> assertThat(e).isEqualTo(new WatchEvent.Bookmark<>("7", false)));
  }

  private static List<WatchEvent<Unstructured>> events(String json) throws IOException {
    WatchDecoder<Unstructured> decoder =
        WatchDecoder.json(
            new ByteArrayInputStream(json.getBytes(UTF_8)),
            Unstructured.CODEC,
            DecodeContext.create());
    List<WatchEvent<Unstructured>> events = new ArrayList<>();
    Optional<WatchEvent<Unstructured>> next = decoder.next();
    while (next.isPresent()) {
      events.add(next.get());
      next = decoder.next();
    }
    return events;
  }
}
