package dev.clientgo.workqueue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IndexedHeapTest {

  private static final class Weight extends IndexedHeap.Node {
    int value;

    Weight(int value) {
      this.value = value;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void operations_atRandom_keepTheSmallestFirst(long seed) {
    Random random = new Random(seed);
    IndexedHeap<Weight> heap = new IndexedHeap<>(Comparator.comparingInt(number -> number.value));
    List<Weight> model = new ArrayList<>();

    for (int i = 0; i < 20_000; i++) {
      switch (model.isEmpty() ? 0 : random.nextInt(4)) {
        case 0, 1 -> {
          Weight number = new Weight(random.nextInt(500));
          heap.add(number);
          model.add(number);
        }
        case 2 -> {
          Weight any = model.get(random.nextInt(model.size()));
          any.value = random.nextInt(500);
          heap.moved(any);
        }
        default -> {
          Weight any =
              random.nextBoolean()
                  ? requireNonNull(heap.peek())
                  : model.get(random.nextInt(model.size()));
          heap.remove(any);
          model.remove(any);
        }
      }
      assertThat(heap.size()).isEqualTo(model.size());
      assertThat(heap.isEmpty()).isEqualTo(model.isEmpty());
      Weight first = heap.peek();
      if (first == null) {
        assertThat(model).isEmpty();
      } else if (i % 20 == 0) {
        assertThat(first.value)
            .isEqualTo(model.stream().mapToInt(number -> number.value).min().orElseThrow());
      }
    }
    heap.clear();
    assertThat(heap.peek()).isNull();
  }
}
