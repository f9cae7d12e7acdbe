package dev.clientgo.cache.internal.reflector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.meta.options.ListOptions.ResourceVersionMatch;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.Status;
import dev.clientgo.apimachinery.status.StatusReason;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** client-go's TestListPager_List and TestListPager_EachListItem. */
final class PagerTest {

  private static final long PAGE = 10;

  /** Serves numbers in pages, and checks the requests. */
  private static final class Numbers {

    private final int count;
    private final List<ListOptions> requests = new ArrayList<>();
    private boolean expires;

    Numbers(int count) {
      this.count = count;
    }

    ListMeta list(ListOptions options, ListSink<? super Integer> sink) throws InterruptedException {
      requests.add(options);
      String token = options.continueToken();
      if (token != null) {
        assertThat(options.resourceVersion()).isNull();
        assertThat(options.resourceVersionMatch()).isNull();
        if (expires) {
          throw expired();
        }
      }
      int from = token == null ? 0 : Integer.parseInt(token);
      int to = options.limit() == null ? count : (int) Math.min(count, from + options.limit());
      IntStream.range(from, to).forEach(sink::accept);
      return ListMeta.builder()
          .resourceVersion("20")
          .continueToken(to < count ? Integer.toString(to) : "")
          .build();
    }
  }

  private static ApiStatusException expired() {
    return error(StatusReason.EXPIRED, 410, "too old resource version");
  }

  private static ApiStatusException error(String reason, int code, String message) {
    return new ApiStatusException(
        Status.builder().reason(reason).code(code).message(message).build());
  }

  private static List<Integer> upTo(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  private record Collecting(List<Integer> items) implements ListSink<Integer> {
    @Override
    public void accept(Integer item) {
      items.add(item);
    }
  }

  static Stream<Arguments> sizes() {
    return Stream.of(
        argumentSet("empty page", 0, 1),
        argumentSet("one page", 9, 1),
        argumentSet("one full page", 10, 1),
        argumentSet("two pages", 11, 2),
        argumentSet("three pages", 21, 3));
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void list_readsAllPages(int count, int pages) throws InterruptedException {
    Numbers numbers = new Numbers(count);

    Pager.Listed<Collecting> listed =
        Pager.<Integer>of(numbers::list)
            .withPageSize(PAGE)
            .list(ListOptions.NONE, () -> new Collecting(new ArrayList<>()));

    assertThat(listed.sink().items()).isEqualTo(upTo(count));
    assertThat(listed.metadata().resourceVersion()).isEqualTo("20");
    assertThat(listed.paginated()).isEqualTo(pages > 1);
    assertThat(numbers.requests)
        .hasSize(pages)
        .allSatisfy(request -> assertThat(request.limit()).isEqualTo(PAGE));
  }

  /**
   * Only the request for the first page names a version (TestListPager_List, "two pages with
   * resourceVersion" and "… with resourceVersion and resourceVersionMatch").
   */
  @Test
  void list_namesVersionOnFirstPageOnly() throws InterruptedException {
    Numbers numbers = new Numbers(21);
    ListOptions options =
        ListOptions.builder()
            .resourceVersion("10")
            .resourceVersionMatch(ResourceVersionMatch.NOT_OLDER_THAN)
            .labelSelector("app=web")
            .build();

    List<Integer> items = Pager.<Integer>of(numbers::list).withPageSize(PAGE).list(options);

    assertThat(items).isEqualTo(upTo(21));
    assertThat(numbers.requests.get(0).resourceVersion()).isEqualTo("10");
    assertThat(numbers.requests)
        .allSatisfy(request -> assertThat(request.labelSelector()).isEqualTo("app=web"));
  }

  /**
   * If the version expires on the second page, the pager lists everything at once ("expires on
   * second page and then lists").
   */
  @Test
  void list_expiresOnSecondPage_beginsAnewAndAsksForAll() throws InterruptedException {
    Numbers numbers = new Numbers(21);
    numbers.expires = true;
    ListOptions options = ListOptions.builder().resourceVersion("10").build();
    List<Collecting> sinks = new ArrayList<>();

    Pager.Listed<Collecting> listed =
        Pager.<Integer>of(numbers::list)
            .withPageSize(PAGE)
            .list(
                options,
                () -> {
                  sinks.add(new Collecting(new ArrayList<>()));
                  return sinks.get(sinks.size() - 1);
                });

    assertThat(sinks).hasSize(2);
    assertThat(listed.sink()).isSameAs(sinks.get(1));
    assertThat(listed.sink().items()).isEqualTo(upTo(21));
    assertThat(listed.paginated()).isTrue();
    ListOptions last = numbers.requests.get(2);
    assertThat(last).isEqualTo(options);
  }

  /** The first page cannot expire because of a slow reader, so its error is final. */
  @Test
  void list_firstPageExpired_fails() {
    Pager<Integer> pager =
        Pager.of(
            (options, sink) -> {
              throw expired();
            });

    assertThatThrownBy(() -> pager.list(ListOptions.NONE)).isInstanceOf(ApiStatusException.class);
  }

  @Test
  void list_otherErrorOnSecondPage_fails() {
    Pager<Integer> pager =
        Pager.<Integer>of(
            (options, sink) -> {
              if (options.continueToken() != null) {
                throw error("Gone", 410, "not a reason to start over");
              }
              return ListMeta.builder().continueToken("1").build();
            });

    assertThatThrownBy(() -> pager.list(ListOptions.NONE)).hasMessageContaining("not a reason");
  }

  @Test
  void list_withLimitOrWithoutPages_asksForThat() throws InterruptedException {
    Numbers numbers = new Numbers(3);
    Pager<Integer> pager = Pager.<Integer>of(numbers::list);

    pager.list(ListOptions.NONE);
    pager.withPageSize(0).list(ListOptions.NONE);
    pager.list(ListOptions.builder().limit(2L).build());

    assertThat(numbers.requests)
        .extracting(ListOptions::limit)
        .containsExactly(Pager.DEFAULT_PAGE_SIZE, null, 2L, 2L);
    assertThatThrownBy(() -> pager.withPageSize(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void eachListItem_readsAllPages(int count, int pages) throws InterruptedException {
    Numbers numbers = new Numbers(count);
    List<Integer> items = new ArrayList<>();

    ListMeta meta =
        Pager.<Integer>of(numbers::list)
            .withPageSize(PAGE)
            .eachListItem(ListOptions.builder().resourceVersion("10").build(), items::add);

    assertThat(items).isEqualTo(upTo(count));
    assertThat(meta.resourceVersion()).isEqualTo("20");
    assertThat(numbers.requests).hasSize(pages);
  }

  /**
   * If the version expires on the second page, the sink already has the first one, so the pager
   * fails ("expires on second page").
   */
  @Test
  void eachListItem_expiresOnSecondPage_fails() {
    Numbers numbers = new Numbers(21);
    numbers.expires = true;
    List<Integer> items = new ArrayList<>();
    Pager<Integer> pager = Pager.<Integer>of(numbers::list).withPageSize(PAGE);

    assertThatThrownBy(() -> pager.eachListItem(ListOptions.NONE, items::add))
        .isInstanceOfSatisfying(
            ApiStatusException.class, error -> assertThat(error.isResourceExpired()).isTrue());
    assertThat(items).isEqualTo(upTo(10));
  }

  /** An error of the sink ends the list ("error processing item"). */
  @Test
  void eachListItem_sinkFails_stops() {
    Numbers numbers = new Numbers(51);
    List<Integer> items = new ArrayList<>();
    Pager<Integer> pager = Pager.<Integer>of(numbers::list).withPageSize(PAGE);

    assertThatThrownBy(
            () ->
                pager.eachListItem(
                    ListOptions.NONE,
                    item -> {
                      items.add(item);
                      if (items.size() == 3) {
                        throw new IllegalStateException("enough");
                      }
                    }))
        .hasMessage("enough");
    assertThat(items).hasSize(3);
    assertThat(numbers.requests).hasSize(1);
  }
}
