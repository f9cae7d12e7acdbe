package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How far a cache lags behind a server that writes all the time, when its connections are cut at
 * random: half an hour, in no time, and the same each time.
 */
final class ReflectorFreshnessTest {

  /** 50 writes a second. */
  private static final Duration BETWEEN_WRITES = Duration.ofMillis(20);

  private static final Duration ROUND_TRIP = Duration.ofMillis(5);
  private static final Duration END = Duration.ofMinutes(30);
  private static final Duration FAR_BEHIND = Duration.ofSeconds(3);

  private final ReflectorFixture fixture = new ReflectorFixture();

  /** A collection of one object, whose version is the time of its last write. */
  private final class CutSource implements ListerWatcher<ApiObject> {

    private final Random random = new Random(20260103);
    private final long meanNanos;
    private long seen;
    private long behindUntil;
    private long farBehind;
    private long longest;
    private int cuts;

    CutSource(Duration mean) {
      meanNanos = mean.toNanos();
    }

    private long now() {
      return fixture.clock.nanoTime();
    }

    private long written() {
      return now() / BETWEEN_WRITES.toNanos();
    }

    private void see(long version) {
      long oldestUnseen = (seen + 1) * BETWEEN_WRITES.toNanos();
      longest = Math.max(longest, now() - oldestUnseen);
      long farFrom = Math.max(oldestUnseen + FAR_BEHIND.toNanos(), behindUntil);
      if (now() > farFrom) {
        farBehind += now() - farFrom;
        behindUntil = now();
      }
      seen = version;
    }

    private double shareFarBehind() {
      return (double) farBehind / now();
    }

    private void roundTrip() throws InterruptedException {
      if (now() > END.toNanos()) {
        throw new InterruptedException("the time is over");
      }
      fixture.clock.advance(ROUND_TRIP);
    }

    @Override
    public ListMeta list(ListOptions options, ListSink<? super ApiObject> sink)
        throws InterruptedException {
      roundTrip();
      see(written());
      sink.accept(ReflectorFixture.pod("a", Long.toString(seen)));
      return ListMeta.builder().resourceVersion(Long.toString(seen)).build();
    }

    @Override
    public boolean isWatchListSemanticsUnsupported() {
      return true;
    }

    @Override
    public Watch<ApiObject> watch(ListOptions options) throws InterruptedException {
      roundTrip();
      long cutAt = now() + (long) (-Math.log(1 - random.nextDouble()) * meanNanos);
      return new Watch<>() {
        @Override
        public Optional<WatchEvent<ApiObject>> next() {
          long next = (seen + 1) * BETWEEN_WRITES.toNanos();
          long time = Math.min(cutAt, next);
          if (time > now()) {
            fixture.clock.advance(Duration.ofNanos(time - now()));
          }
          if (now() >= cutAt) {
            cuts++;
            return Optional.empty();
          }
          see(seen + 1);
          return Optional.of(
              new WatchEvent.Modified<>(ReflectorFixture.pod("a", Long.toString(seen))));
        }

        @Override
        public void close() {}
      };
    }
  }

  /** client-go is more than three seconds behind for up to 0.9 % of the time, with 50 writes/s. */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 10})
  void cutsEverySoManySeconds_cacheIsHardlyEverFarBehind(int seconds) {
    CutSource source = new CutSource(Duration.ofSeconds(seconds));

    fixture.run(source);

    assertThat(source.cuts).isGreaterThan((int) END.toSeconds() / seconds / 2);
    assertThat(source.shareFarBehind()).isLessThan(0.009);
    assertThat(Duration.ofNanos(source.longest)).isLessThan(FAR_BEHIND);
  }
}
