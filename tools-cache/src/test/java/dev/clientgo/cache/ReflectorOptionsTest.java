package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReflectorOptionsTest {

  @Test
  void watchList_withoutVariable_isEnabled() {
    assertThat(ReflectorOptions.isWatchListEnabled(Map.of("KUBE_FEATURE_Other", "false"))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "f", "F", "false", "FALSE", "False"})
  void watchList_switchedOff_isDisabled(String value) {
    assertThat(ReflectorOptions.isWatchListEnabled(Map.of("KUBE_FEATURE_WatchListClient", value)))
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "t", "T", "true", "TRUE", "True"})
  void watchList_switchedOn_isEnabled(String value) {
    assertThat(ReflectorOptions.isWatchListEnabled(Map.of("KUBE_FEATURE_WatchListClient", value)))
        .isTrue();
  }

  /** A value that is neither true nor false is logged and ignored, as in client-go. */
  @ParameterizedTest
  @ValueSource(strings = {"", "no", "fALSE", " false"})
  void watchList_withInvalidVariable_isEnabled(String value) {
    assertThat(ReflectorOptions.isWatchListEnabled(Map.of("KUBE_FEATURE_WatchListClient", value)))
        .isTrue();
  }
}
