package dev.clientgo.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ParallelizerTest {

  /** Upstream: TestParallelizeUntil; the last four lines are ours. */
  @ParameterizedTest
  @CsvSource({
    "1000, 10, 1", "1000, 10, 10", "1000, 10, 100", "999, 10, 13",
    "1, 10, 1", "7, 3, 100", "5, 2, 0", "10, 1, -1"
  })
  void parallelizeUntil_pieces_areDoneOnceEach(int pieces, int workers, int chunkSize)
      throws Exception {
    AtomicIntegerArray seen = new AtomicIntegerArray(pieces);

    Parallelizer.of(workers)
        .withChunkSize(chunkSize)
        .parallelizeUntil(() -> false, pieces, seen::incrementAndGet);

    for (int i = 0; i < pieces; i++) {
      assertThat(seen.get(i)).as("piece %d", i).isEqualTo(1);
    }
  }

  @Test
  void parallelizeUntil_noPieces_startsNoThread() throws Exception {
    AtomicInteger threads = new AtomicInteger();

    Parallelizer.of(4)
        .withThreadFactory(
            task -> {
              threads.incrementAndGet();
              return new Thread(task);
            })
        .parallelizeUntil(() -> false, 0, piece -> {});

    assertThat(threads).hasValue(0);
  }

  @Test
  void parallelizeUntil_fewerChunksThanWorkers_startsAThreadForEachChunk() throws Exception {
    List<Thread> threads = new ArrayList<>();

    Parallelizer.of(10)
        .withChunkSize(4)
        .withThreadFactory(
            task -> {
              Thread thread = new Thread(task);
              threads.add(thread);
              return thread;
            })
        .parallelizeUntil(() -> false, 9, piece -> {});

    assertThat(threads).hasSize(3).noneMatch(Thread::isAlive);
  }

  @Test
  void parallelizeUntil_severalWorkers_workAtTheSameTime() throws Exception {
    CyclicBarrier allFour = new CyclicBarrier(4);

    Parallelizer.of(4)
        .parallelizeUntil(
            () -> false,
            8,
            piece -> {
              try {
                allFour.await(30, TimeUnit.SECONDS);
              } catch (Exception e) {
                throw new AssertionError("fewer than four at work", e);
              }
            });

    assertThat(allFour.isBroken()).isFalse();
  }

  @Test
  void parallelizeUntil_toldToStop_beginsNoFurtherPiece() throws Exception {
    AtomicBoolean found = new AtomicBoolean();
    Set<Integer> done = ConcurrentHashMap.newKeySet();

    Parallelizer.of(1)
        .withChunkSize(100)
        .parallelizeUntil(
            found::get,
            1000,
            piece -> {
              done.add(piece);
              if (piece == 41) {
                found.set(true);
              }
            });

    assertThat(done).hasSize(42).contains(0, 41).doesNotContain(42);
  }

  @Test
  void parallelizeUntil_pieceThrows_othersAreDoneAndTheFirstIsThrown() {
    Set<Integer> done = Collections.synchronizedSet(new java.util.HashSet<>());

    assertThatThrownBy(
            () ->
                Parallelizer.of(1)
                    .parallelizeUntil(
                        () -> false,
                        10,
                        piece -> {
                          if (piece % 4 == 2) {
                            throw new IllegalStateException("piece " + piece + ", as intended");
                          }
                          done.add(piece);
                        }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("piece 2, as intended");
    assertThat(done).containsExactlyInAnyOrder(0, 1, 3, 4, 5, 7, 8, 9);
  }

  @Test
  void parallelizeUntil_pieceThrowsAnError_throwsIt() {
    assertThatThrownBy(
            () ->
                Parallelizer.of(2)
                    .parallelizeUntil(
                        () -> false,
                        1,
                        piece -> {
                          throw new StackOverflowError("as intended");
                        }))
        .isInstanceOf(StackOverflowError.class);
  }

  @Test
  void parallelizeUntil_interrupted_interruptsThePiecesAndThrows() throws Exception {
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger interrupted = new AtomicInteger();
    CountDownLatch bothAtWork = new CountDownLatch(2);
    Call<Void> call =
        Call.start(
            () -> {
              Parallelizer.of(2)
                  .parallelizeUntil(
                      () -> false,
                      1000,
                      piece -> {
                        begun.incrementAndGet();
                        bothAtWork.countDown();
                        try {
                          new CountDownLatch(1).await();
                        } catch (InterruptedException e) {
                          interrupted.incrementAndGet();
                          Thread.currentThread().interrupt();
                        }
                      });
              return null;
            });
    assertThat(bothAtWork.await(30, TimeUnit.SECONDS)).isTrue();

    call.interrupt();

    assertThatThrownBy(call::result).hasCauseInstanceOf(InterruptedException.class);
    assertThat(begun).hasValue(2);
    assertThat(interrupted).hasValue(2);
  }

  @Test
  void parallelizeUntil_largestNumberOfPieces_doesNotOverflow() throws Exception {
    AtomicInteger done = new AtomicInteger();

    Parallelizer.of(2)
        .withChunkSize(Integer.MAX_VALUE)
        .parallelizeUntil(
            () -> done.get() >= 10, Integer.MAX_VALUE, piece -> done.incrementAndGet());

    assertThat(done).hasValueGreaterThanOrEqualTo(10);
  }

  @Test
  void parallelizer_badNumbers_areRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Parallelizer.of(0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Parallelizer.of(1).parallelizeUntil(() -> false, -1, piece -> {}));
  }
}
