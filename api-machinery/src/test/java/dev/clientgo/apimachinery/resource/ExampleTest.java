package dev.clientgo.apimachinery.resource;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The example in the documentation of the package. */
final class ExampleTest {

  @Test
  void page_sumAndLimit() {
    List<Quantity> requests = List.of(Quantity.parse("1500m"), Quantity.parse("1"));
    Quantity limit = Quantity.parse("2");
    String report = "";

    Quantity used = Quantity.ZERO;
    for (Quantity request : requests) {
      used = used.plus(request);
    }
    if (used.compareTo(limit) > 0) {
      report = "over the limit: " + used + " of " + limit;
    }

    assertThat(report).isEqualTo("over the limit: 2500m of 2");
  }
}
