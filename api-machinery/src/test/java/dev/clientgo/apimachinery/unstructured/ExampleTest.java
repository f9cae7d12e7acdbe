package dev.clientgo.apimachinery.unstructured;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The example in the documentation of the package. */
final class ExampleTest {

  @Test
  void page_ship_isRefitted() {
    String json = "{\"kind\":\"Ship\",\"spec\":{\"masts\":2},\"status\":{}}";

    Unstructured ship = Unstructured.parse(json);
    long masts = ship.nestedLong("spec", "masts").orElse(0L);
    Unstructured refitted = ship.with(masts + 1, "spec", "masts").without("status");

    assertThat(refitted)
        .isEqualTo(Unstructured.parse("{\"kind\":\"Ship\",\"spec\":{\"masts\":3}}"));
  }
}
