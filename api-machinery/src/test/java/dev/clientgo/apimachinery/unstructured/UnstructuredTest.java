package dev.clientgo.apimachinery.unstructured;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class UnstructuredTest {

  @Test
  void parse_object_splitsHeadAndBody() {
    Unstructured object =
        Unstructured.parse(
            """
            {"spec":{"replicas":3,"ratio":0.5,"none":null},"metadata":{"name":"a","namespace":"b",
             "x":{"y":[1]},"labels":{"app":"web"}},"kind":"Widget","apiVersion":"example.com/v1"}
            """);

    assertThat(object.metadata().name()).isEqualTo("a");
    assertThat(object.nestedLong("spec", "replicas")).contains(3L);
    assertThat(object.nestedString("metadata", "labels", "app")).contains("web");
    assertThat(object.toJson())
        .isEqualTo(
            "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"a\","
                + "\"namespace\":\"b\",\"labels\":{\"app\":\"web\"},\"x\":{\"y\":[1]}},"
                + "\"spec\":{\"replicas\":3,\"ratio\":0.5,\"none\":null}}");
    assertThat(Unstructured.parse(object.toJson())).isEqualTo(object);
    assertThat(Unstructured.of(object.content())).isEqualTo(object);
  }
}
