package dev.clientgo.apimachinery.intstr;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The example in the documentation of the package. */
final class ExampleTest {

  @Test
  void page_numbersAndTexts() {
    IntOrString port = IntOrString.of(8080);
    IntOrString named = IntOrString.of("http");
    int surge = IntOrString.parse("25%").scaled(10, true); // 3 of 10, rounded up

    assertThat(port.number()).hasValue(8080);
    assertThat(named.text()).contains("http");
    assertThat(surge).isEqualTo(3);
  }
}
