package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ListWatchTest {

  private final List<String> asked = new ArrayList<>();
  private final Set<DecodeContext> contexts = new LinkedHashSet<>();

  private final ListWatch<ApiObject> everything =
      ListWatch.of(
          (options, context, sink) -> {
            asked.add("LIST " + options.toQuery(false));
            contexts.add(context);
            return ListMeta.builder().resourceVersion("1").build();
          },
          (options, context) -> {
            asked.add("WATCH " + options.toQuery(false));
            contexts.add(context);
            return new Ended();
          });

  private record Ended() implements Watch<ApiObject> {
    @Override
    public Optional<WatchEvent<ApiObject>> next() {
      return Optional.empty();
    }

    @Override
    public void close() {}
  }

  private void listAndWatch(ListerWatcher<ApiObject> source) throws InterruptedException {
    source.list(ListOptions.builder().limit(500L).build(), object -> {});
    source.watch(ListOptions.builder().resourceVersion("7").build());
  }

  @Test
  void functions_areGivenTheOptionsAsTheyAre() throws InterruptedException {
    listAndWatch(everything);

    assertThat(asked).containsExactly("LIST {limit=500}", "WATCH {resourceVersion=7}");
    assertThat(everything.isWatchListSemanticsUnsupported()).isFalse();
  }

  /** The selectors are added to each request (NewFilteredListWatchFromClient). */
  @Test
  void filtered_addsToTheOptionsOfEachCallAndLeavesTheFirstAlone() throws InterruptedException {
    ListWatch<ApiObject> filtered =
        everything.filtered(options -> options.toBuilder().labelSelector("app=web").build());
    ListWatch<ApiObject> twice =
        filtered.filtered(options -> options.toBuilder().fieldSelector("spec.nodeName=n1").build());

    listAndWatch(filtered);
    twice.watch(ListOptions.NONE);
    everything.watch(ListOptions.NONE);

    assertThat(asked)
        .containsExactly(
            "LIST {labelSelector=app=web, limit=500}",
            "WATCH {labelSelector=app=web, resourceVersion=7}",
            "WATCH {labelSelector=app=web, fieldSelector=spec.nodeName=n1}",
            "WATCH {}");
  }

  @Test
  void sharing_givesOneContextToEveryCall() throws InterruptedException {
    DecodeContext context = DecodeContext.create();

    listAndWatch(everything.sharing(context));
    listAndWatch(everything.sharing(context).filtered(options -> options));

    assertThat(contexts).containsExactly(context);
  }

  @Test
  void withoutSharing_eachCallHasItsOwnContext() throws InterruptedException {
    listAndWatch(everything);
    listAndWatch(everything);

    assertThat(contexts).hasSize(4);
  }

  @Test
  void reflectors_keepOneContextEachOverAllTheirListsAndWatches() {
    for (int i = 0; i < 2; i++) {
      ReflectorFixture fixture = new ReflectorFixture();
      int before = asked.size();
      ListWatch<ApiObject> limited =
          ListWatch.of(
              (options, context, sink) -> everything.sharing(context).list(options, sink),
              (options, context) -> {
                if (asked.size() - before > 12) {
                  throw new InterruptedException("enough");
                }
                return everything.sharing(context).watch(options);
              });
      fixture.run(limited);
    }

    assertThat(asked).hasSizeGreaterThan(20);
    assertThat(contexts).hasSize(2);
  }
}
