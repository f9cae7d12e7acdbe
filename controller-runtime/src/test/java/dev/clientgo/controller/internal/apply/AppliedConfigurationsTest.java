package dev.clientgo.controller.internal.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.controller.internal.apply.AppliedConfigurations.Target;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The memory of applies. */
final class AppliedConfigurationsTest {

  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicInteger skipped = new AtomicInteger();
  private final AppliedConfigurations applied =
      new AppliedConfigurations(2, sent::incrementAndGet, skipped::incrementAndGet);

  private static Target target(String name) {
    return new Target(new GroupVersionResource("", "v1", "configmaps"), "default", name, "me", "");
  }

  private static ConfigMap configuration(String value) {
    return ConfigMap.of("default", "x", c -> c.data(Map.of("a", value)));
  }

  /** An object whose managed fields a transform has removed. */
  private static ConfigMap stored(String value, String version) {
    return configuration(value).with(c -> c.editMetadata(m -> m.uid("1").resourceVersion(version)));
  }

  private boolean begin(String name, String value, ConfigMap current) {
    return applied.begin(target(name), ConfigMap.CODEC, configuration(value), current);
  }

  private void end(String name, String value, ConfigMap stored) {
    applied.end(target(name), ConfigMap.CODEC, configuration(value), stored);
  }

  @Test
  void withoutManagedFields_theVersionDecides() {
    assertThat(begin("x", "1", null)).isTrue();
    end("x", "1", stored("1", "5"));

    assertThat(begin("x", "1", stored("1", "5"))).isFalse();
    assertThat(begin("x", "1", stored("1", "6"))).isTrue();
    assertThat(sent).hasValue(2);
    assertThat(skipped).hasValue(1);
  }

  /** The response may have been lost, so nothing is known any more. */
  @Test
  void applyThatDidNotEnd_isSentAgain() {
    end("x", "1", stored("1", "5"));
    assertThat(begin("x", "2", stored("1", "5"))).isTrue();

    assertThat(begin("x", "1", stored("1", "5"))).isTrue();
  }

  @Test
  void onlyTheLastObjects_areRemembered() {
    end("x", "1", stored("1", "5"));
    end("y", "1", stored("1", "5"));
    assertThat(begin("x", "1", stored("1", "5"))).isFalse();
    end("z", "1", stored("1", "5"));

    assertThat(applied.size()).isEqualTo(2);
    assertThat(begin("x", "1", stored("1", "5"))).isFalse();
    assertThat(begin("y", "1", stored("1", "5"))).isTrue();
  }
}
