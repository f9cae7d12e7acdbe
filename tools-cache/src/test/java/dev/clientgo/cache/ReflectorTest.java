package dev.clientgo.cache;

import static dev.clientgo.cache.ReflectorFixture.ANY;
import static dev.clientgo.cache.ReflectorFixture.LONG;
import static dev.clientgo.cache.ReflectorFixture.added;
import static dev.clientgo.cache.ReflectorFixture.bookmark;
import static dev.clientgo.cache.ReflectorFixture.deleted;
import static dev.clientgo.cache.ReflectorFixture.expired;
import static dev.clientgo.cache.ReflectorFixture.failed;
import static dev.clientgo.cache.ReflectorFixture.forbidden;
import static dev.clientgo.cache.ReflectorFixture.listFrom;
import static dev.clientgo.cache.ReflectorFixture.modified;
import static dev.clientgo.cache.ReflectorFixture.pod;
import static dev.clientgo.cache.ReflectorFixture.watchFrom;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.status.StatusReason;
import dev.clientgo.cache.ScriptedSource.Step;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The Reflector's way from LIST to WATCH and back, and its resync. */
final class ReflectorTest {

  private final ReflectorFixture fixture = new ReflectorFixture();
  private final ScriptedSource source = fixture.source;

  // ---- the whole way

  /**
   * The store equals the server after a list and a watch (TestReflectorListAndWatch,
   * TestReflectorWatchHandler).
   */
  @Test
  void listAndWatch_bringsStoreToServerState() {
    source
        .list("10", pod("a", "9"), pod("b", "10"))
        .watch(
            added("c", "11"), modified("a", "12"), deleted("b", "13"), bookmark("20"), Step.over());

    Reflector<ApiObject> reflector = fixture.run();

    assertThat(source.requests()).containsExactly(ANY, watchFrom("10"));
    assertThat(fixture.recorded.calls)
        .containsExactly(
            "replace 10 [a@9, b@10]", "add c@11", "update a@12", "delete b@13", "bookmark 20");
    assertThat(fixture.stored()).containsExactly("a@12", "c@11");
    assertThat(reflector.lastSyncResourceVersion()).isEqualTo("20");
    assertThat(reflector.state()).isEqualTo(InformerHealth.ReflectorState.STOPPED);
    assertThat(fixture.errors).isEmpty();
  }

  /** Every kind of event advances the version (TestReflectorResourceVersionUpdate). */
  @Test
  void watchEnded_goesOnBehindLastEvent() {
    source
        .list("10")
        .watch(added("a", "20"), fixture.wait(LONG))
        .watch(modified("a", "30"), fixture.wait(LONG))
        .watch(bookmark("40"), fixture.wait(LONG))
        .watch(deleted("a", "50"), fixture.wait(LONG));

    Reflector<ApiObject> reflector = fixture.run();

    assertThat(source.requests())
        .containsExactly(ANY, watchFrom("10"), watchFrom("20"), watchFrom("30"), watchFrom("40"));
    assertThat(reflector.lastSyncResourceVersion()).isEqualTo("50");
    assertThat(fixture.clock.sleeps()).isEmpty();
  }

  /**
   * The store equals the server after each round, whatever failed
   * (TestReflectorListAndWatchWithErrors).
   */
  @Test
  void errors_endRoundAreReportedAndFollowedByList() {
    RuntimeException listError = new IllegalStateException("a list error");
    RuntimeException watchError = new IllegalStateException("a watch error");
    source
        .list("1")
        .watch(added("foo", "2"), added("bar", "3"), failed(expired()))
        .list("3", pod("foo", "2"), pod("bar", "3"))
        .watch(deleted("foo", "4"), added("qux", "5"), failed(expired()))
        .fail(listError)
        .list("5", pod("bar", "3"), pod("qux", "5"))
        .fail(watchError)
        .list("5", pod("bar", "3"), pod("qux", "5"))
        .watch(added("baz", "6"), Step.over());

    fixture.run();

    assertThat(fixture.stored()).containsExactly("bar@3", "baz@6", "qux@5");
    assertThat(fixture.errors).hasSize(4).contains(listError, watchError);
    assertThat(fixture.clock.sleeps()).hasSize(4);
  }

  /**
   * After an error event of the server, the next list shows the deletion
   * (TestReflectorReplacesStoreOnUnsafeDelete).
   */
  @Test
  void storageReadErrorInWatch_listsAndFindsDeletion() {
    source
        .list("1", pod("corrupt", "1"), pod("fine", "1"))
        .watch(failed(FakeServer.error(StatusReason.STORE_READ_ERROR, 500, "deleted unread")))
        .list("3", pod("fine", "1"))
        .watch(Step.over());

    fixture.run();

    assertThat(fixture.stored()).containsExactly("fine@1");
    assertThat(source.requests())
        .containsExactly(ANY, watchFrom("1"), listFrom("1"), watchFrom("3"));
  }

  @Test
  void run_afterInterruption_goesOnFromKnownVersion() {
    source.list("10").watch(Step.over()).list("20");

    Reflector<ApiObject> reflector = fixture.run();
    assertThat(reflector.state()).isEqualTo(InformerHealth.ReflectorState.STOPPED);
    assertThatThrownBy(reflector::run).isInstanceOf(InterruptedException.class);

    assertThat(source.requests()).containsExactly(ANY, watchFrom("10"), listFrom("10"));
  }

  // ---- resync

  /** A failing resync ends the round (TestReflectorResync). */
  @Test
  void resync_fails_endsRoundAndIsReported() {
    RuntimeException broken = new IllegalStateException("a resync error");
    fixture.settings = settings -> settings.resync(Duration.ofSeconds(10), () -> true);
    source
        .list("1")
        .watch(
            fixture.wait(Duration.ofSeconds(9)),
            Step.then(() -> fixture.recorded.calls.add("-")),
            fixture.wait(Duration.ofSeconds(1)),
            fixture.wait(Duration.ofSeconds(10)),
            Step.then(() -> fixture.recorded.resyncError = broken),
            fixture.wait(Duration.ofSeconds(10)),
            added("never", "2"))
        .list("3")
        .watch(Step.over());

    fixture.run();

    assertThat(fixture.recorded.calls)
        .containsExactly("replace 1 []", "-", "resync", "resync", "resync", "replace 3 []");
    assertThat(fixture.errors).containsExactly(broken);
  }

  /** A resync happens only if a handler is due (TestReflectorResyncChan). */
  @Test
  void resync_notDue_isSkipped() {
    boolean[] due = {false};
    fixture.settings = settings -> settings.resync(Duration.ofSeconds(10), () -> due[0]);
    source
        .list("1")
        .watch(
            fixture.wait(Duration.ofSeconds(10)),
            Step.then(() -> due[0] = true),
            fixture.wait(Duration.ofSeconds(10)),
            Step.over());

    fixture.run();

    assertThat(fixture.recorded.calls).containsExactly("replace 1 []", "resync");
  }

  @Test
  void resync_whileBackingOff_doesNotHappen() {
    fixture.settings = settings -> settings.resync(Duration.ofMillis(100), () -> true);
    source.list("1").watch(failed(forbidden())).list("2");

    fixture.run();

    assertThat(fixture.recorded.calls).containsExactly("replace 1 []", "replace 2 []");
  }

  // ---- the end

  /**
   * A stopped reflector takes no event (TestReflectorWatchStoppedBefore,
   * TestReflectorHandleWatchStoppedBefore).
   */
  @Test
  void run_interruptedBeforeTheWatchIsOpen_takesNoEvent() {
    source
        .list(
            sink -> Thread.currentThread().interrupt(),
            ListMeta.builder().resourceVersion("1").build())
        .watch(added("a", "2"));

    Reflector<ApiObject> reflector = fixture.run();

    assertThat(fixture.stored()).isEmpty();
    assertThat(source.openWatches()).isZero();
    assertThat(reflector.state()).isEqualTo(InformerHealth.ReflectorState.STOPPED);
  }

  /**
   * TestReflectorWatchStoppedAfter, TestReflectorHandleWatchStoppedAfter, TestReflectorStopWatch: a
   * watch with events at hand is left as well, and closed.
   */
  @Test
  void run_interruptedWhileWatching_takesNoFurtherEvent() {
    source
        .list("1")
        .watch(
            added("a", "2"),
            Step.then(() -> Thread.currentThread().interrupt()),
            added("b", "3"),
            added("c", "4"));

    Reflector<ApiObject> reflector = fixture.run();

    assertThat(fixture.stored()).doesNotContain("c@4");
    assertThat(source.openWatches()).isZero();
    assertThat(fixture.errors).isEmpty();
    assertThat(reflector.state()).isEqualTo(InformerHealth.ReflectorState.STOPPED);
  }
}
