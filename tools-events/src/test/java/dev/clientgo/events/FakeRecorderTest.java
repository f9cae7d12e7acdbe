package dev.clientgo.events;

import static dev.clientgo.events.Broadcasters.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.clock.FakeClock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class FakeRecorderTest {

  private final FakeRecorder recorder = FakeRecorder.create(FakeClock.create());

  @Test
  void events_areKeptInOrder() {
    recorder.normal(pod("foo"), "Created", "Create", "created %s", "web");
    recorder.annotated(Map.of("a", "b")).warning(pod("foo"), "Failed", "Delete", "100%");
    recorder.warning(pod("foo"), "Failed", "Delete", "100%");

    assertThat(recorder.lines())
        .containsExactly(
            "Normal Created created web", "Warning Failed 100%", "Warning Failed 100%");
    assertThat(recorder).hasToString(String.join("\n", recorder.lines()));
    assertThat(recorder.events())
        .extracting(event -> event.metadata().annotations())
        .containsExactly(Map.of(), Map.of("a", "b"), Map.of());
    assertThat(recorder.events().get(0).regarding()).isEqualTo(pod("foo"));
    assertThat(recorder.events().get(0).action()).isEqualTo("Create");
  }

  @Test
  void await_returnsAnEventThatComesLater() throws Exception {
    Thread other = new Thread(() -> recorder.normal(pod("foo"), "Created", "Create", "note"));
    other.start();

    assertThat(recorder.await("Created", Duration.ofSeconds(30)).note()).isEqualTo("note");
    other.join();
  }

  @Test
  void await_inVain_listsWhatThereIs() {
    recorder.normal(pod("foo"), "Created", "Create", "note");

    assertThatThrownBy(() -> recorder.await("Deleted", Duration.ofMillis(1)))
        .isInstanceOf(TimeoutException.class)
        .hasMessageContaining("Normal Created note");
  }

  @Test
  void clear_forgets() {
    recorder.normal(pod("foo"), "Created", "Create", "note");
    recorder.clear();

    assertThat(recorder.events()).isEmpty();
  }
}
