package dev.clientgo.apimachinery.resource;

import dev.clientgo.apimachinery.resource.Quantity.Format;
import java.math.BigDecimal;
import java.util.List;
import java.util.Random;

/** Quantities made for tests. */
abstract class QuantityFixture {

  static Quantity decimal(long unscaled, int exponent, Format format) {
    return Quantity.of(BigDecimal.valueOf(unscaled, -exponent), format);
  }

  static Quantity random(Random random) {
    Format format = List.of(Format.values()).get(random.nextInt(3));
    return switch (random.nextInt(4)) {
      case 0 -> Quantity.of(random.nextLong() >> 1, format);
      case 1 -> Quantity.of(random.nextLong(1024) << (10 * random.nextInt(5)), format);
      case 2 -> decimal(random.nextLong(), -random.nextInt(4), format);
      default -> decimal(random.nextLong(1000), random.nextInt(15) - 3, format);
    };
  }
}
