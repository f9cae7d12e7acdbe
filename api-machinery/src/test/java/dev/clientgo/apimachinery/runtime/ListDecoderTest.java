package dev.clientgo.apimachinery.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ListDecoderTest {

  private final List<String> names = new ArrayList<>();
  private final List<CodecException> errors = new ArrayList<>();

  @Test
  void read_badItemBetweenGoodOnes_reportsItByName() {
    ListMeta metadata =
        read(
            """
            {"kind":"WidgetList","items":[{"metadata":{"name":"a"}},
             {"metadata":{"name":"b","namespace":"n"},"kind":[{"x":1},2],"y":{}},7,
             {"metadata":{"name":"c"}}],"metadata":{"resourceVersion":"5"}}
            """);

    assertThat(names).containsExactly("a", "c");
    assertThat(errors).extracting(CodecException::objectName).containsExactly("n/b", null);
    assertThat(errors)
        .extracting(CodecException::path)
        .containsExactly("/items/1/kind", "/items/2");
    assertThat(metadata.resourceVersion()).isEqualTo("5");
  }

  private ListMeta read(String json) {
    return ListDecoder.read(
        JsonReader.of(json.getBytes(UTF_8)),
        Unstructured.CODEC,
        new ListSink<>() {
          @Override
          public void accept(Unstructured item) {
            names.add(item.metadata().name());
          }

          @Override
          public void undecodable(CodecException error) {
            errors.add(error);
          }
        });
  }
}
