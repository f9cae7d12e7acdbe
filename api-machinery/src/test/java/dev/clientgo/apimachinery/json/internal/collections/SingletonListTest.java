package dev.clientgo.apimachinery.json.internal.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** It is to be told apart from {@code List.of(element)} by its size in the heap alone. */
final class SingletonListTest {

  private final List<String> list = new SingletonList<>("a");

  @Test
  void anyQuestion_isAnsweredAsByListOf() {
    List<String> same = List.of("a");

    assertThat(list).isEqualTo(same).hasSameHashCodeAs(same).hasToString(same.toString());
    assertThat(same).isEqualTo(list);
    assertThat(new ArrayList<>(list)).isEqualTo(list);
    assertThat(list).isNotEqualTo(List.of("b")).isNotEqualTo(List.of("a", "a")).isNotEqualTo("a");
    assertThat(list.get(0)).isEqualTo("a");
    assertThat(list.contains("a")).isTrue();
    assertThat(list.contains("b")).isFalse();
    assertThat(list.indexOf("a")).isZero();
    assertThat(list.lastIndexOf("b")).isEqualTo(-1);
    assertThat(list.isEmpty()).isFalse();
    assertThat(list.toArray(new String[0])).containsExactly("a");
    assertThat(list.stream().map(text -> text + "b")).containsExactly("ab");
    assertThat(list.subList(0, 0)).isEmpty();
    assertThat(list.subList(0, 1)).isEqualTo(list);
    assertThat(list.listIterator(1).previous()).isEqualTo("a");
    assertThat(list.listIterator().next()).isEqualTo("a");
  }

  @Test
  void get_anotherIndex_isRefused() {
    assertThatThrownBy(() -> list.get(1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> list.get(-1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  static List<Named<Consumer<List<String>>>> changes() {
    return List.of(
        Named.of("add", list -> list.add("b")),
        Named.of("add at", list -> list.add(0, "b")),
        Named.of("addAll", list -> list.addAll(List.of("b"))),
        Named.of("addAll at", list -> list.addAll(0, List.of("b"))),
        Named.of("set", list -> list.set(0, "b")),
        Named.of("remove", list -> list.remove("a")),
        Named.of("remove at", list -> list.remove(0)),
        Named.of("removeAll", list -> list.removeAll(List.of("a"))),
        Named.of("removeIf", list -> list.removeIf("a"::equals)),
        Named.of("retainAll", list -> list.retainAll(List.of())),
        Named.of("replaceAll", list -> list.replaceAll(text -> "b")),
        Named.of("sort", Collections::sort),
        Named.of("clear", List::clear),
        Named.of(
            "iterator",
            list -> {
              var iterator = list.iterator();
              iterator.next();
              iterator.remove();
            }));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void anyChange_isRefused(Consumer<List<String>> change) {
    assertThatThrownBy(() -> change.accept(list)).isInstanceOf(UnsupportedOperationException.class);
    assertThat(list).containsExactly("a");
  }
}
