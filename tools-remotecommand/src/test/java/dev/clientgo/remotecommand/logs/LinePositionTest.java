package dev.clientgo.remotecommand.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Logs that are cut and read again, as a kubelet would send them. */
@Timeout(300)
final class LinePositionTest {

  private record Line(Instant time, String text) {}

  /** A log whose lines repeat, and are out of order by up to 20 ms. */
  private static List<Line> log(Random random, int length) {
    List<Line> log = new ArrayList<>();
    Instant now = Instant.parse("2026-11-22T10:00:00Z");
    for (int i = 0; i < length; i++) {
      now = now.plus(Duration.ofMillis(random.nextInt(300)));
      Instant written = random.nextInt(4) == 0 ? now.minus(Duration.ofMillis(20)) : now;
      log.add(new Line(written, i % 3 == 0 ? "same" : "line " + i));
      if (random.nextInt(5) == 0) {
        log.add(log.get(log.size() - 1)); // The clocks of some machines are coarse.
      }
    }
    return log;
  }

  @Test
  void log_cutAnywhere_isReadOnce() {
    long seed = 20261122;
    Random random = new Random(seed);
    for (int run = 0; run < 2000; run++) {
      List<Line> log = log(random, 40);
      LinePosition position = new LinePosition();
      List<Line> read = new ArrayList<>();
      int tail = random.nextInt(log.size());
      while (tail > 0 && log.get(tail).equals(log.get(tail - 1))) {
        tail--; // Equal lines are told apart only by their number.
      }
      while (read.size() < log.size() - tail) {
        int cut = 1 + random.nextInt(60);
        for (Line line : served(position, log, tail)) {
          if (cut-- == 0) {
            break;
          }
          if (position.isNew(line.time(), line.text())) {
            read.add(line);
          }
        }
        if (cut > 0) {
          break;
        }
      }

      assertThat(read)
          .describedAs("seed %d, run %d", seed, run)
          .isEqualTo(log.subList(tail, log.size()).subList(0, read.size()));
      assertThat(read).isNotEmpty();
    }
  }

  /** A server sends the lines that are not older than the time, and at first the last ones. */
  private static List<Line> served(LinePosition position, List<Line> log, int tail) {
    return position
        .restart()
        .map(since -> log.stream().filter(line -> !line.time().isBefore(since)).toList())
        .orElse(log.subList(tail, log.size()));
  }

  @Test
  void log_whoseLastLineIsRotatedAway_goesOnWithTheNewOnes() {
    LinePosition position = new LinePosition();
    Instant now = Instant.parse("2026-11-22T10:00:00Z");
    assertThat(position.isNew(now, "old")).isTrue();

    assertThat(position.restart()).contains(now.minusSeconds(1));
    assertThat(position.isNew(now.plusNanos(1), "new")).isTrue();
    assertThat(position.isNew(now.plusNanos(2), "newer")).isTrue();
  }
}
