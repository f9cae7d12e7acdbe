package dev.clientgo.apimachinery.serializer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The example of the package's page. */
final class ExampleTest {

  @Test
  void page_list_isReadItemByItem() {
    ResourceType<Unstructured> type =
        Unstructured.type(new GroupVersionKind("example.com", "v1", "Ship"), "ships", true);
    InputStream body =
        new ByteArrayInputStream(
            ("{\"kind\":\"ShipList\",\"metadata\":{\"resourceVersion\":\"7\"},\"items\":["
                    + "{\"metadata\":{\"name\":\"a\"}},{\"metadata\":{\"name\":1}}]}")
                .getBytes(UTF_8));
    DecodeContext context = DecodeContext.create();
    List<Unstructured> store = new ArrayList<>();
    List<CodecException> skipped = new ArrayList<>();

    ListSink<Unstructured> sink =
        new ListSink<>() {
          @Override
          public void accept(Unstructured ship) {
            store.add(ship);
          }

          @Override
          public void undecodable(CodecException error) {
            skipped.add(error); // names the object, the problem and the place
          }
        };
    ListMeta page = ListDecoder.read(JsonReader.of(body, context), type.codec(), sink);

    assertThat(page.resourceVersion()).isEqualTo("7");
    assertThat(store).hasSize(1);
    assertThat(skipped).hasSize(1);
  }
}
