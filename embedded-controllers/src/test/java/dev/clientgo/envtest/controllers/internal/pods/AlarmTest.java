package dev.clientgo.envtest.controllers.internal.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.FakeClock;
import dev.clientgo.controller.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The alarm rings at moments of a fake clock, in their order. */
final class AlarmTest {

  private static final String CONTROLLER = "job-controller";

  private final FakeClock clock = FakeClock.create();
  private final Instant start = clock.now();
  private final BlockingQueue<String> rung = new LinkedBlockingQueue<>();
  private final Alarm alarm =
      Alarm.start(clock, (controller, request) -> rung.add(controller + " " + request.name()));

  @AfterEach
  void close() {
    alarm.close();
  }

  private void set(String name, int minutes) {
    alarm.set(CONTROLLER, request(name), Optional.of(start.plus(Duration.ofMinutes(minutes))));
  }

  private static Request request(String name) {
    return new Request("default", name);
  }

  private void assertNextIs(String name) throws InterruptedException {
    assertThat(rung.poll(30, TimeUnit.SECONDS)).isEqualTo(CONTROLLER + " " + name);
  }

  @Test
  void moments_ringInTheirOrder_whenTheyCome() throws InterruptedException {
    set("later", 10);
    set("sooner", 5);

    clock.advance(Duration.ofMinutes(5));
    assertNextIs("sooner");
    clock.advance(Duration.ofMinutes(5));
    assertNextIs("later");
  }

  @Test
  void momentsThatAJumpPasses_allRing() throws InterruptedException {
    set("b", 2);
    set("a", 1);
    set("c", 3);

    clock.advance(Duration.ofHours(1));

    assertNextIs("a");
    assertNextIs("b");
    assertNextIs("c");
  }

  /** A reconciler computes a moment, and meanwhile the test moves the clock. */
  @Test
  void momentThatHasPassed_ringsAtOnce() throws InterruptedException {
    clock.advance(Duration.ofMinutes(10));

    set("passed", 5);

    assertNextIs("passed");
  }

  @Test
  void newMoment_takesThePlaceOfTheOld() throws InterruptedException {
    set("moved", 5);
    set("other", 10);
    set("moved", 15);

    clock.advance(Duration.ofMinutes(10));
    assertNextIs("other");
    clock.advance(Duration.ofMinutes(5));
    assertNextIs("moved");
  }

  @Test
  void emptyMoment_removesTheOld() throws InterruptedException {
    set("removed", 5);
    set("other", 10);
    alarm.set(CONTROLLER, request("removed"), Optional.empty());

    clock.advance(Duration.ofMinutes(10));

    assertNextIs("other");
  }

  @Test
  void controllersWithTheSameRequest_areApart() throws InterruptedException {
    set("same", 10);
    alarm.set("cronjob-controller", request("same"), Optional.of(start.plusSeconds(60)));

    clock.advance(Duration.ofMinutes(10));

    assertThat(rung.poll(30, TimeUnit.SECONDS)).isEqualTo("cronjob-controller same");
    assertNextIs("same");
  }

  @Test
  void ringing_mayBeSetAgain() throws InterruptedException {
    set("again", 5);
    clock.advance(Duration.ofMinutes(5));
    assertNextIs("again");

    set("again", 10);
    clock.advance(Duration.ofMinutes(5));

    assertNextIs("again");
  }
}
