package dev.clientgo.apimachinery.meta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Corresponds to TestCompareResourceVersion. */
final class ResourceVersionTest {

  @ParameterizedTest
  @CsvSource({
    "99, 100, -1",
    "100, 99, 1",
    "100, 100, 0",
    "1, 2, -1",
    "99999999999999999999999999999999999999999999999998,"
        + " 99999999999999999999999999999999999999999999999999, -1",
    "99999999999999999999999999999999999999999999999999,"
        + " 100000000000000000000000000000000000000000000000000, -1",
    "99999999999999999999999999999999999999999999999999,"
        + " 99999999999999999999999999999999999999999999999999, 0"
  })
  void compare_ofNumbers_isTheirOrder(String first, String second, int expected) {
    assertThat(Integer.signum(ResourceVersion.compare(first, second))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "0100", "100a", "-1", "+1", " 1", "١"})
  void compare_withSomethingElse_saysWhichItIs(String invalid) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ResourceVersion.compare(invalid, "100"))
        .withMessageContaining("first")
        .withMessageContaining("\"" + invalid + "\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ResourceVersion.compare("100", invalid))
        .withMessageContaining("second")
        .withMessageContaining("\"" + invalid + "\"");
  }
}
