package dev.clientgo.events;

import static dev.clientgo.events.Broadcasters.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.events.RecordingSink.Sent;
import dev.clientgo.kubernetes.events.v1.Event;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When the counts of repetitions are written. */
@Timeout(300)
final class EventSeriesTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  @AutoClose private final Broadcasters test = Broadcasters.series();

  private void record() {
    test.recorder.normal(pod("foo"), "A", "B", "note");
  }

  /** Records an event and one repetition, and waits for both requests. */
  private void begin() throws InterruptedException {
    record();
    test.sink.awaitSent(1);
    record();
    test.sink.awaitSent(2);
    test.flush();
  }

  private void advance(Duration time) throws InterruptedException {
    test.clock.awaitWaiterWithin(MINUTE);
    test.clock.advance(time);
  }

  /** Go's {@code TestFinishSeries}. */
  @Test
  void series_afterSixMinutesOfSilence_isWrittenOnceMore_andForgotten() throws Exception {
    begin();
    record();
    record();
    advance(Duration.ofMinutes(6));

    assertThat(test.sink.awaitSent(3).get(2).patchText()).contains("\"count\":4");
    test.flush();
    record();
    assertThat(test.sink.awaitSent(4).get(3).isCreate()).isTrue();
    assertThat(test.sink.objects()).isEqualTo(2);
  }

  @Test
  void single_afterSixMinutes_isForgottenWithoutARequest() throws Exception {
    record();
    test.sink.awaitSent(1);
    test.flush();
    advance(Duration.ofMinutes(6));
    record();

    assertThat(test.sink.awaitSent(2)).extracting(Sent::isCreate).containsExactly(true, true);
  }

  /** Go's {@code TestRefreshExistingEventSeries}. */
  @Test
  void series_isWrittenEveryThirtyMinutes() throws Exception {
    begin();
    for (int minute = 0; minute < 30; minute++) {
      record();
      advance(MINUTE);
    }

    assertThat(test.sink.awaitSent(3).get(2).patchText()).contains("\"count\":32");
    test.flush();
    for (int minute = 0; minute < 29; minute++) {
      record();
      advance(MINUTE);
    }
    assertThat(test.sink.sent()).hasSize(3);
    record();
    advance(MINUTE);
    assertThat(test.sink.awaitSent(4).get(3).patchText()).contains("\"count\":62");
  }

  @Test
  void series_whoseEventHasExpired_isCreatedWithItsCount() throws Exception {
    record();
    test.sink.awaitSent(1);
    test.flush();
    test.sink.expireAll();
    record();

    List<Sent<Event>> sent = test.sink.awaitSent(3);
    assertThat(sent).extracting(Sent::isCreate).containsExactly(true, false, true);
    assertThat(sent.get(2).event().series()).isEqualTo(sent.get(1).event().series()).isNotNull();
    assertThat(sent.get(2).event().metadata().resourceVersion()).isNull();
  }

  @Test
  void series_thatIsRefused_isNotSentWithEachRepetition() {
    test.sink.failWith(request -> ApiStatusException.badRequest("no"));
    for (int i = 0; i < 100; i++) {
      record();
    }
    test.broadcaster.close(Broadcasters.LONG);

    assertThat(test.sink.sent()).hasSizeBetween(2, 3);
    assertThat(test.broadcaster.stats().failed()).isEqualTo(test.sink.sent().size());
  }

  @Test
  void close_writesTheLastCount() throws Exception {
    begin();
    record();
    record();
    record();

    assertThat(test.broadcaster.close(Broadcasters.LONG)).isTrue();
    assertThat(test.sink.sent().get(2).patchText()).contains("\"count\":5");
    assertThat(test.sink.sent()).hasSize(3);
  }

  @Test
  void cache_isBounded_andWritesTheCountThatItForgets() throws Exception {
    begin();
    record();
    for (int i = 0; i < 4096; i++) {
      test.recorder.normal(pod("other-" + i), "A", "B", "note");
      if (i % 500 == 0) {
        test.sink.awaitSent(2 + i);
      }
    }

    assertThat(test.sink.awaitSent(2 + 4096 + 1))
        .filteredOn(sent -> !sent.isCreate())
        .hasSize(2)
        .last()
        .satisfies(sent -> assertThat(sent.patchText()).contains("\"count\":3"));
  }
}
