package dev.clientgo.apimachinery.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.watch.WatchEvent.Added;
import dev.clientgo.apimachinery.watch.WatchEvent.Deleted;
import dev.clientgo.apimachinery.watch.WatchEvent.Modified;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cases of apimachinery's watch_test.go. */
@Timeout(300)
final class WatchSourcesTest {

  private static List<WatchEvent<String>> drain(Watch<String> watch) throws InterruptedException {
    List<WatchEvent<String>> events = new ArrayList<>();
    Optional<WatchEvent<String>> event = watch.next();
    while (event.isPresent()) {
      events.add(event.get());
      event = watch.next();
    }
    return events;
  }

  private static <T> FutureTask<T> start(Callable<T> task) {
    FutureTask<T> future = new FutureTask<>(task);
    Thread thread = new Thread(future, "test");
    thread.setDaemon(true);
    thread.start();
    return future;
  }

  /** TestFake and TestEmpty. */
  @Test
  void buffered_endedThenDrained_deliversAllThenEmpty() throws InterruptedException {
    BufferedWatch<String> watch = BufferedWatch.unbounded();
    watch.put(new Added<>("a"));
    watch.put(new Modified<>("b"));
    watch.end();

    assertThat(watch.put(new Deleted<>("c"))).isFalse();
    assertThat(drain(watch)).containsExactly(new Added<>("a"), new Modified<>("b"));
    assertThat(BufferedWatch.empty().next()).isEmpty();
  }

  /** TestRaceFreeFake: a close drops the events that were not taken. */
  @Test
  void buffered_closed_dropsAndWakes() throws Exception {
    BufferedWatch<String> watch = BufferedWatch.unbounded();
    FutureTask<Optional<WatchEvent<String>>> waiting = start(watch::next);

    watch.close();
    watch.close();

    assertThat(waiting.get(30, TimeUnit.SECONDS)).isEmpty();
    assertThat(watch.offer(new Added<>("a"))).isFalse();
    assertThat(watch.isClosed()).isTrue();
  }

  @Test
  void buffered_full_offersFailAndPutsWait() throws Exception {
    BufferedWatch<String> watch = BufferedWatch.bounded(1);
    assertThat(watch.offer(new Added<>("a"))).isTrue();
    assertThat(watch.offer(new Added<>("b"))).isFalse();
    FutureTask<Boolean> waiting = start(() -> watch.put(new Added<>("c")));

    assertThat(watch.next()).contains(new Added<>("a"));

    assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();
    assertThat(watch.next()).contains(new Added<>("c"));
  }

  @Test
  void buffered_interrupted_isClosed() throws Exception {
    BufferedWatch<String> watch = BufferedWatch.unbounded();
    FutureTask<Boolean> waiting =
        start(
            () -> {
              Thread.currentThread().interrupt();
              watch.next();
              return true;
            });

    assertThatThrownBy(() -> waiting.get(30, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(watch.isClosed()).isTrue();
  }
}
