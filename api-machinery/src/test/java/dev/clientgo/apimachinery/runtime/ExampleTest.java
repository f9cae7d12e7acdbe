package dev.clientgo.apimachinery.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.schema.GroupVersion;
import org.junit.jupiter.api.Test;

/** The example in the documentation of the package. */
final class ExampleTest {

  /** Of the user. */
  record Widget(String apiVersion, String kind, int size) {}

  @Test
  void page_scheme_bindsARecord() {
    byte[] json =
        "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"size\":3}".getBytes(UTF_8);

    Scheme scheme =
        Scheme.builder().add(new GroupVersion("example.com", "v1"), Widget.class).build();
    Widget widget = (Widget) scheme.decode(json);

    assertThat(widget.size()).isEqualTo(3);
  }
}
