package dev.clientgo.events.correlation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.kubernetes.core.v1.Event;
import dev.clientgo.kubernetes.core.v1.EventSource;
import dev.clientgo.kubernetes.core.v1.ObjectReference;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class EventCorrelatorTest {

  private static final String COMBINED = "(combined from similar events): ";

  private final FakeClock clock = FakeClock.create();

  private static Event event(String reason, String message, String name) {
    return Event.of(
        event ->
            event
                .editMetadata(meta -> meta.namespace("my-ns").name(name + "." + reason + message))
                .reason(reason)
                .message(message)
                .involvedObject(
                    ObjectReference.of(
                        object ->
                            object
                                .kind("Pod")
                                .name(name)
                                .namespace("my-ns")
                                .uid("C934D34AFB20242")
                                .apiVersion("version")
                                .fieldPath("spec.containers{mycontainer}")))
                .source(EventSource.of(source -> source.component("kubelet").host("kublet.node1")))
                .count(1)
                .type("Normal"));
  }

  private static Event inContainer(Event event, String container) {
    return event.with(
        e -> e.editInvolvedObject(o -> o.fieldPath("spec.containers{" + container + "}")));
  }

  private static List<Event> times(int count, Event event) {
    return IntStream.range(0, count).mapToObj(i -> event).toList();
  }

  private static List<Event> similar(int count, Event event) {
    return IntStream.range(0, count)
        .mapToObj(i -> event.with(e -> e.message(i + "-" + event.message())))
        .toList();
  }

  private static List<Event> unique(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> event("reason-" + i, "message-" + i, "pod-" + i))
        .toList();
  }

  /** The cases of Go's {@code TestEventCorrelator}; a count of 0 means that the event is spam. */
  static Stream<Arguments> scenarios() {
    Event first = event("first", "i am first", "my-pod");
    Event duplicate = event("duplicate", "me again", "my-pod");
    Event snowflake = event("unique", "snowflake", "my-pod");
    Event similar = inContainer(event("similar", "similar message", "my-pod"), "container1");
    Event other = inContainer(similar, "container2");
    String same = "similar message";
    return Stream.of(
        argumentSet("create a single event", List.of(), first, 5, "i am first", 1),
        argumentSet("the same event counts", times(1, duplicate), duplicate, 5, "me again", 2),
        argumentSet(
            "the same event counts even if more than aggregate",
            times(10, duplicate),
            duplicate,
            30,
            "me again",
            11),
        argumentSet("the same event too often is spam", times(26, duplicate), duplicate, 1, "", 0),
        argumentSet("many unique events", unique(30), snowflake, 5, "snowflake", 1),
        argumentSet(
            "similar events aggregate", similar(9, similar), similar, 5, COMBINED + same, 1),
        argumentSet(
            "similar events count the aggregate",
            similar(10, similar),
            similar,
            5,
            COMBINED + same,
            2),
        argumentSet(
            "events of different containers do not aggregate",
            times(1, other),
            similar,
            5,
            same,
            1),
        argumentSet(
            "similar events far apart do not aggregate",
            similar(9, similar),
            similar,
            601,
            same,
            1));
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void event_afterOthers(List<Event> before, Event event, int seconds, String message, int count) {
    EventCorrelator correlator = EventCorrelator.create(CorrelatorOptions.DEFAULTS, clock);
    for (Event earlier : before) {
      correlate(correlator, earlier, Duration.ofSeconds(seconds));
    }

    Optional<EventCorrelator.Result> result =
        correlate(correlator, event, Duration.ofSeconds(seconds));

    if (count == 0) {
      assertThat(result).isEmpty();
      return;
    }
    Event correlated = result.orElseThrow().event();
    assertThat(correlated.message()).isEqualTo(message);
    assertThat(correlated.count()).isEqualTo(count);
    assertThat(result.orElseThrow().patch().isPresent()).isEqualTo(count > 1);
    assertThat(correlated.involvedObject()).isEqualTo(event.involvedObject());
    assertThat(correlated.reason()).isEqualTo(event.reason());
    assertThat(correlated.source()).isEqualTo(event.source());
    assertThat(correlated.lastTimestamp()).isEqualTo(Time.now(clock));
    if (count > 1) {
      assertThat(correlated.firstTimestamp()).isLessThan(correlated.lastTimestamp());
    } else {
      assertThat(correlated.firstTimestamp()).isEqualTo(correlated.lastTimestamp());
    }
  }

  private Optional<EventCorrelator.Result> correlate(
      EventCorrelator correlator, Event event, Duration step) {
    clock.advance(step);
    Time now = Time.now(clock);
    return correlator.correlate(event.with(e -> e.firstTimestamp(now).lastTimestamp(now)));
  }

  private static Object withReason(Event event) {
    return List.of(String.valueOf(event.involvedObject()), String.valueOf(event.reason()));
  }

  /** The cases of Go's {@code TestEventSpamFilter}. */
  static Stream<Arguments> spam() {
    Function<Event, Object> withReason = EventCorrelatorTest::withReason;
    return Stream.of(
        argumentSet("the same object", null, event("duplicate", "me again", "my-pod"), true),
        argumentSet("another reason", withReason, event("duplicate", "me again", "my-pod"), false),
        argumentSet("the same reason", withReason, event("original", "me again", "my-pod"), true));
  }

  @ParameterizedTest
  @MethodSource("spam")
  void event_afterABurstOfOne(Function<Event, Object> key, Event event, boolean isSpam) {
    CorrelatorOptions.Builder options = CorrelatorOptions.builder().burst(1);
    if (key != null) {
      options.spamKey(key);
    }
    EventCorrelator correlator = EventCorrelator.create(options.build(), clock);
    correlator.correlate(event("original", "i am first", "my-pod"));
    clock.advance(Duration.ofSeconds(1));

    assertThat(correlator.correlate(event).isEmpty()).isEqualTo(isSpam);
  }

  @Test
  void bucket_gainsATokenInFiveMinutes_andHolds25() {
    EventCorrelator correlator = EventCorrelator.create(CorrelatorOptions.DEFAULTS, clock);
    Event event = event("a", "b", "pod");
    assertThat(passed(correlator, event, 30)).isEqualTo(25);
    clock.advance(Duration.ofMinutes(5).minusMillis(1));
    assertThat(passed(correlator, event, 2)).isZero();
    clock.advance(Duration.ofMillis(2));
    assertThat(passed(correlator, event, 2)).isEqualTo(1);
    clock.advance(Duration.ofDays(1));
    assertThat(passed(correlator, event, 30)).isEqualTo(25);
  }

  private static long passed(EventCorrelator correlator, Event event, int count) {
    return IntStream.range(0, count).filter(i -> correlator.correlate(event).isPresent()).count();
  }

  @Test
  void caches_forgetWhatWasUsedLeastRecently() {
    EventCorrelator correlator =
        EventCorrelator.create(CorrelatorOptions.builder().lruCacheSize(2).build(), clock);
    Event one = event("a", "m", "one");
    correlator.correlate(one);
    correlator.correlate(event("a", "m", "two"));
    correlator.correlate(one);
    correlator.correlate(event("a", "m", "three"));

    assertThat(correlator.correlate(one).orElseThrow().event().count()).isEqualTo(3);
    assertThat(correlator.correlate(event("a", "m", "two")).orElseThrow().patch()).isEmpty();
  }

  /** Go's {@code TestEventAggregatorByReasonFunc}. */
  @Test
  void aggregateKey_ignoresTheMessage() {
    Object fun = EventKeys.aggregateKey(event("end-of-world", "it was fun", "pod1"));
    Object awful = EventKeys.aggregateKey(event("end-of-world", "it was awful", "pod1"));
    Object bug = EventKeys.aggregateKey(event("nevermind", "it was a bug", "pod1"));

    assertThat(fun).isEqualTo(awful).isNotEqualTo(bug);
  }

  /** Go's {@code TestEventAggregatorByReasonMessageFunc}. */
  @Test
  void aggregateMessage_hasAPrefix() {
    assertThat(EventKeys.aggregateMessage(event("end-of-world", "it was fun", "pod1")))
        .isEqualTo(COMBINED + "it was fun");
  }

  @Test
  void options_mustBePositive() {
    assertThatThrownBy(() -> CorrelatorOptions.builder().burst(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("burst must be positive, not 0");
  }
}
