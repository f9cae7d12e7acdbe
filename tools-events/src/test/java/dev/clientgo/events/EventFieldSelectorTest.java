package dev.clientgo.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.fields.FieldSelector;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.kubernetes.core.v1.ObjectReference;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Go's {@code TestGetFieldSelector}. */
final class EventFieldSelectorTest {

  private static final String UID = "2c55cad7-ee4e-11e9-abe1-525400e7bc6b";

  private static final ObjectReference DEPLOYMENT =
      ObjectReference.of(
          o -> o.apiVersion("apps/v1").kind("Deployment").name("test-deployment").uid(UID));

  @ParameterizedTest
  @CsvSource({
    "events.k8s.io, v1beta1, regarding",
    "events.k8s.io, v1, regarding",
    "'', v1, involvedObject"
  })
  void selector_namesWhatIsKnown(String group, String version, String prefix) {
    GroupVersion events = new GroupVersion(group, version);

    assertThat(EventFieldSelector.of(events, ObjectReference.builder().build()))
        .isEqualTo(FieldSelector.everything());
    FieldSelector selector = EventFieldSelector.of(events, DEPLOYMENT);
    assertThat(selector.requirements()).hasSize(4);
    assertThat(
            selector.matches(
                Map.of(
                    prefix + ".name", "test-deployment",
                    prefix + ".kind", "Deployment",
                    prefix + ".apiVersion", "apps/v1",
                    prefix + ".uid", UID)))
        .isTrue();
  }

  @Test
  void unknownVersion_isRefused() {
    assertThatThrownBy(() -> EventFieldSelector.of(new GroupVersion("", "v1alpha1"), DEPLOYMENT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("v1alpha1");
  }
}
