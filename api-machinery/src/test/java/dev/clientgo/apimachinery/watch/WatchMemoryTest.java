package dev.clientgo.apimachinery.watch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which strings a context remembers of the objects that its watches have brought. */
final class WatchMemoryTest {

  private static final int MANY = 5_000;

  private final DecodeContext context = DecodeContext.ofStore();

  @Test
  void next_allObjectsDeleted_remembersNoneOfTheirNames() throws IOException {
    List<String> names = names(read(MANY, i -> event("ADDED", i)));
    assertThat(remembered(names)).isGreaterThan(2_000);

    read(MANY, i -> event("DELETED", i));

    assertThat(remembered(names)).isZero();
  }

  @Test
  void next_objectsComeAndGo_remembersOnlyTheLatestNames() throws IOException {
    List<String> names = new ArrayList<>();
    for (int round = 0; round < 20; round++) {
      int first = round * MANY;
      names.addAll(names(read(MANY, i -> event("ADDED", first + i))));
      read(MANY, i -> event("DELETED", first + i));
    }

    assertThat(remembered(names)).isZero();
  }

  @Test
  void next_fewObjectsDeleted_forgetsThemAfterTwoMoreStreams() throws IOException {
    List<String> names = names(read(100, i -> event("ADDED", i)));
    read(100, i -> event("DELETED", i));
    assertThat(remembered(names)).isGreaterThan(50);

    read(0, i -> "");
    read(0, i -> "");

    assertThat(remembered(names)).isZero();
  }

  @Test
  void next_noObjectDeleted_forgetsNoneHoweverManyStreamsEnd() throws IOException {
    List<String> names = names(read(100, i -> event("ADDED", i)));

    for (int i = 0; i < 10; i++) {
      read(1, each -> event("MODIFIED", 1_000_000));
    }

    assertThat(remembered(names)).isGreaterThan(50);
  }

  @Test
  void next_objectsComeAndGo_sharesWhatTheyHaveInCommon() throws IOException {
    List<Unstructured> objects =
        read(20_000, i -> event(i % 2 == 0 ? "ADDED" : "DELETED", i / 2 * 2));

    String app = app(objects.get(0));
    assertThat(objects).allSatisfy(object -> assertThat(app(object)).isSameAs(app));
  }

  private static String event(String type, int i) {
    return "{\"type\":\"%s\",\"object\":{\"metadata\":{\"name\":\"object-%d\",\"labels\":{\"app\":\"web\"}}}}"
        .formatted(type, i);
  }

  /** Reads a stream of events and returns the objects. */
  private List<Unstructured> read(int count, IntFunction<String> event) throws IOException {
    StringBuilder text = new StringBuilder();
    IntStream.range(0, count).mapToObj(event).forEach(text::append);
    Decoder<Unstructured> decoder =
        WatchDecoder.json(
            new ByteArrayInputStream(text.toString().getBytes(UTF_8)), Unstructured.CODEC, context);
    List<Unstructured> objects = new ArrayList<>();
    Optional<WatchEvent<Unstructured>> next = decoder.next();
    while (next.isPresent()) {
      if (next.get() instanceof WatchEvent.Added<Unstructured> added) {
        objects.add(added.value());
      }
      next = decoder.next();
    }
    return objects;
  }

  private static List<String> names(List<Unstructured> objects) {
    return objects.stream().map(object -> object.metadata().name()).toList();
  }

  private static String app(Unstructured object) {
    return object.metadata().labels().get("app");
  }

  /**
   * Counts the strings that the context knows; those that it does not know it knows from then on.
   */
  @SuppressWarnings("ReferenceEquality") // The question is whether the context gives one it has.
  private long remembered(List<String> strings) {
    return strings.stream().filter(each -> context.share(new String(each)) == each).count();
  }
}
