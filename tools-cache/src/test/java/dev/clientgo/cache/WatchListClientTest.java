package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WatchListClientTest {

  @Test
  void watchListClient_environmentSaysNothing_isEnabled() {
    assertThat(WatchListClient.isEnabled(Map.of("KUBE_FEATURE_Other", "false"))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "f", "F", "false", "FALSE", "False"})
  void watchListClient_switchedOff_isDisabled(String value) {
    assertThat(WatchListClient.isEnabled(Map.of("KUBE_FEATURE_WatchListClient", value))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "t", "T", "true", "TRUE", "True"})
  void watchListClient_switchedOn_isEnabled(String value) {
    assertThat(WatchListClient.isEnabled(Map.of("KUBE_FEATURE_WatchListClient", value))).isTrue();
  }

  /** As upstream: a value that is no truth value is logged, and the default holds. */
  @ParameterizedTest
  @ValueSource(strings = {"", "no", "fALSE", " false"})
  void watchListClient_unintelligible_isEnabled(String value) {
    assertThat(WatchListClient.isEnabled(Map.of("KUBE_FEATURE_WatchListClient", value))).isTrue();
  }
}
