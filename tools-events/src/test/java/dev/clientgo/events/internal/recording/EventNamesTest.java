package dev.clientgo.events.internal.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.validation.NameRule;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Go's {@code TestGenerateEventName}. */
final class EventNamesTest {

  private static final long NANOS = 105999103295324396L;

  @Test
  void validName_endsWithTheTime() {
    assertThat(EventNames.name("test-pod", NANOS)).isEqualTo("test-pod.178959f726d80ec");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "test.POD", "test.pod/invalid!chars?", "--test.pod/invalid!chars?", "2001::1"})
  void invalidName_isAUuid(String object) {
    String name = EventNames.name(object, NANOS);

    assertThat(NameRule.DNS1123_SUBDOMAIN.problems(name)).isEmpty();
    assertThat(UUID.fromString(name)).hasToString(name);
  }

  @Test
  void longName_isAUuid() {
    assertThat(UUID.fromString(EventNames.name("x".repeat(300), NANOS))).isNotNull();
  }

  @Test
  void twoEventsAtOnce_haveTwoNames() {
    EventNames names = new EventNames();
    Instant now = Instant.parse("2026-01-01T00:00:00Z");

    assertThat(names.next("pod", now)).isNotEqualTo(names.next("pod", now));
  }
}
