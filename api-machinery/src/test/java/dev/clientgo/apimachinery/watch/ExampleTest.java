package dev.clientgo.apimachinery.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The example in the documentation of the package. */
final class ExampleTest {

  private interface Client {

    Watch<Unstructured> watch(ListOptions options);
  }

  @Test
  void page_followedToItsEnd() throws InterruptedException {
    BufferedWatch<Unstructured> source = BufferedWatch.unbounded();
    source.put(new WatchEvent.Bookmark<>("7", false));
    source.end();
    Client ships = options -> source;
    ListOptions options = ListOptions.builder().build();
    List<WatchEvent<Unstructured>> seen = new ArrayList<>();

    try (Watch<Unstructured> watch = ships.watch(options)) {
      for (var event = watch.next(); event.isPresent(); event = watch.next()) {
        seen.add(event.get());
      }
    }
    // ended: open another from the last resourceVersion

    assertThat(seen).containsExactly(new WatchEvent.Bookmark<>("7", false));
  }
}
