package dev.clientgo.apimachinery.json.internal.intern;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.json.internal.intern.Fingerprint.Places;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class FingerprintTest {

  private static final BigInteger PRIME = BigInteger.TWO.pow(61).subtract(BigInteger.ONE);

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  @Test
  void of_anyBytes_isThePolynomialAtBothPlaces() {
    for (int round = 0; round < 2_000; round++) {
      byte[] bytes = new byte[random.nextInt(100)];
      random.nextBytes(bytes);
      Places places = round == 0 ? new Places((1L << 61) - 2, 1) : Places.any();

      Fingerprint text = Fingerprint.of(bytes, 0, bytes.length, places);

      assertThat(text)
          .as("seed %s, round %s, %s", seed, round, places)
          .isEqualTo(
              new Fingerprint(polynomial(bytes, places.a()), (int) polynomial(bytes, places.b())));
    }
  }

  private static long polynomial(byte[] bytes, long place) {
    BigInteger at = BigInteger.valueOf(place);
    BigInteger sum = BigInteger.valueOf(bytes.length);
    int i = 0;
    for (; i + 7 <= bytes.length; i += 7) {
      sum = sum.multiply(at).add(new BigInteger(1, bytes, i, 7));
    }
    BigInteger rest = new BigInteger(1, bytes, i, bytes.length - i);
    return sum.multiply(at).add(rest).mod(PRIME).longValueExact();
  }

  @Test
  void of_partOfAnArray_isThatOfThePart() {
    Places places = Places.any();
    byte[] bytes = new byte[64];
    random.nextBytes(bytes);
    byte[] moved = new byte[100];
    System.arraycopy(bytes, 0, moved, 20, 64);

    assertThat(Fingerprint.of(moved, 20, 64, places))
        .isEqualTo(Fingerprint.of(bytes, 0, 64, places));
  }

  @Test
  void of_anyBitChangedOrByteAdded_isAnother() {
    Places places = Places.any();
    byte[] bytes = new byte[200];
    Set<Fingerprint> seen = new HashSet<>();
    for (int length = 0; length <= bytes.length; length++) {
      assertThat(seen.add(Fingerprint.of(bytes, 0, length, places))).isTrue();
    }
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      bytes[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(seen.add(Fingerprint.of(bytes, 0, bytes.length, places))).isTrue();
      bytes[bit / 8] ^= (byte) (1 << bit % 8);
    }
  }

  @Test
  void any_places_areNotTheSameTwice() {
    assertThat(Places.any()).isNotEqualTo(Places.any());
  }
}
