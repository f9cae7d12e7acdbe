package dev.clientgo.cache;

import static dev.clientgo.cache.ReflectorFixture.ANY;
import static dev.clientgo.cache.ReflectorFixture.expired;
import static dev.clientgo.cache.ReflectorFixture.failed;
import static dev.clientgo.cache.ReflectorFixture.listFrom;
import static dev.clientgo.cache.ReflectorFixture.pod;
import static dev.clientgo.cache.ReflectorFixture.watchFrom;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.CauseType;
import dev.clientgo.apimachinery.status.Status;
import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.apimachinery.status.StatusDetails;
import dev.clientgo.apimachinery.status.StatusReason;
import dev.clientgo.cache.ScriptedSource.Step;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** LIST: which version is asked for, and whether in pages. */
final class ReflectorListTest {

  private final ReflectorFixture fixture = new ReflectorFixture();
  private final ScriptedSource source = fixture.source;

  // ---- which version to list

  /** A later list is not older than the known version (TestReflectorResyncWithResourceVersion). */
  @Test
  void relist_asksForStateNotOlderThanKnown() {
    source.list("10", pod("a", "1")).watch(failed(expired())).list("11").watch(Step.over());

    fixture.run();

    assertThat(source.requests())
        .containsExactly(ANY, watchFrom("10"), listFrom("10"), watchFrom("11"));
  }

  /**
   * If the version has expired, the reflector lists the most recent state at once
   * (TestReflectorExpiredExactResourceVersion).
   */
  @Test
  void relist_versionExpired_asksForMostRecentAtOnce() {
    source
        .list("10")
        .watch(failed(expired()))
        .fail(expired())
        .list("20")
        .watch(failed(expired()))
        .list("30");

    fixture.run();

    assertThat(source.requests())
        .containsExactly(
            ANY, watchFrom("10"), listFrom("10"), "LIST {}", watchFrom("20"), listFrom("20"));
    assertThat(fixture.clock.sleeps()).hasSize(2);
  }

  /**
   * If the version expires between two pages, the reflector lists everything at once
   * (TestReflectorFullListIfExpired).
   */
  @Test
  void relist_pageExpired_listsAllAtOnce() {
    fixture.options = options -> options.watchListPageSize(4);
    source
        .page("10", null, pod("a", "1"))
        .watch(failed(expired()))
        .page("10", "C1", pod("a", "1"), pod("b", "2"), pod("c", "3"), pod("d", "4"))
        .fail(expired())
        .list("10", pod("e", "5"))
        .watch(Step.over());

    fixture.run();

    assertThat(source.requests())
        .containsExactly(
            "LIST {resourceVersion=0, limit=4}",
            watchFrom("10"),
            "LIST {resourceVersion=10, limit=4}",
            "LIST {limit=4, continue=C1}",
            "LIST {resourceVersion=10}",
            watchFrom("10"));
    assertThat(fixture.stored()).containsExactly("e@5");
  }

  static Stream<Arguments> tooLargeErrors() {
    return Stream.of(
        argumentSet(
            "since 1.18.6",
            tooLarge("the server's words", CauseType.RESOURCE_VERSION_TOO_LARGE, "x")),
        argumentSet("since 1.17", tooLarge("Timeout: no luck", "", "Too large resource version")),
        argumentSet(
            "before", tooLarge("Timeout: Too large resource version: 30, current: 20", "", "")));
  }

  private static ApiStatusException tooLarge(String message, String cause, String causeMessage) {
    StatusCause details = StatusCause.builder().reason(cause).message(causeMessage).build();
    return new ApiStatusException(
        Status.builder()
            .reason(StatusReason.TIMEOUT)
            .code(504)
            .message(message)
            .details(StatusDetails.builder().causes(List.of(details)).build())
            .build());
  }

  /**
   * If the version is newer than the server's, the reflector lists the most recent state at once
   * (TestReflectorFullListIfTooLarge).
   */
  @ParameterizedTest
  @MethodSource("tooLargeErrors")
  void relist_versionTooLarge_asksForMostRecentAtOnce(ApiStatusException tooLarge) {
    source
        .list("20")
        .watch(failed(expired()))
        .fail(tooLarge)
        .list("30")
        .watch(failed(expired()))
        .fail(tooLarge)
        .list("40");

    fixture.run();

    assertThat(source.requests().stream().filter(request -> request.startsWith("LIST")))
        .containsExactly(ANY, listFrom("20"), "LIST {}", listFrom("30"), "LIST {}");
  }

  @Test
  void relist_otherTimeout_isNotTakenForTooLarge() {
    source
        .list("20")
        .watch(failed(expired()))
        .fail(FakeServer.error(StatusReason.TIMEOUT, 504, "took too long"))
        .list("20");

    fixture.run();

    assertThat(source.requests()).endsWith(listFrom("20"), listFrom("20"));
  }

  // ---- pages

  /** An explicit page size applies to every list (TestReflectorWatchListPageSize). */
  @Test
  void explicitPageSize_isUsedForAllLists() {
    fixture.options = options -> options.watchListPageSize(4);
    source
        .page("10", "C1", pod("a", "1"), pod("b", "2"), pod("c", "3"), pod("d", "4"))
        .page("10", null, pod("e", "5"))
        .watch(failed(expired()))
        .list("11");

    fixture.run();

    assertThat(source.requests())
        .containsExactly(
            "LIST {resourceVersion=0, limit=4}",
            "LIST {limit=4, continue=C1}",
            watchFrom("10"),
            "LIST {resourceVersion=10, limit=4}");
  }

  /**
   * A list from the watch cache is not paginated (TestReflectorNotPaginatingNotConsistentReads).
   */
  @Test
  void relist_serverHasWatchCache_isNotPaginated() {
    source.list("10").watch(failed(expired())).list("11");

    fixture.run();

    assertThat(source.requests())
        .containsExactly(ANY, watchFrom("10"), "LIST {resourceVersion=10}");
  }

  /**
   * Without a watch cache, lists are paginated
   * (TestReflectorPaginatingNonConsistentReadsIfWatchCacheDisabled).
   */
  @Test
  void relist_firstListWasPaginated_isPaginated() {
    source
        .page("10", "C1", pod("a", "1"))
        .page("10", null, pod("b", "2"))
        .watch(failed(expired()))
        .list("11");

    fixture.run();

    assertThat(fixture.recorded.calls.get(0)).isEqualTo("replace 10 [a@1, b@2]");
    assertThat(source.requests()).endsWith("LIST {resourceVersion=10, limit=500}");
  }
}
