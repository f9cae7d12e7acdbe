package dev.clientgo.apimachinery.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The example in the documentation of the package. */
final class ExampleTest {

  private interface Client {

    Watch<Unstructured> watch(ListOptions options);
  }

  /** A bookmark, and the end. */
  private static final class OneBookmark implements Watch<Unstructured> {

    private boolean ended;

    @Override
    public Optional<WatchEvent<Unstructured>> next() {
      boolean first = !ended;
      ended = true;
      return first ? Optional.of(new WatchEvent.Bookmark<>("7", false)) : Optional.empty();
    }

    @Override
    public void close() {
      ended = true;
    }
  }

  @Test
  void page_followedToItsEnd() throws InterruptedException {
    Client ships = options -> new OneBookmark();
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
