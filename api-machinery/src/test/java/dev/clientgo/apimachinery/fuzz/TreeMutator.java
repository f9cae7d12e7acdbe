package dev.clientgo.apimachinery.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonReader;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Mutates valid trees of maps and lists: moves, repeats or removes values, or replaces them by
 * values of other types. The initial JSON has {@code '} instead of {@code "}.
 */
final class TreeMutator implements Function<Random, Object> {

  private final List<Object> corpus = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final List<@Nullable Object> values = new ArrayList<>();

  /** Creates a source of trees like these. */
  TreeMutator(String... corpus) {
    for (String json : corpus) {
      Object tree = parse(json);
      this.corpus.add(tree);
      collect(tree);
    }
    names.addAll(List.of("", "$patch", "~1", "0", "-", "a/b", "é"));
    values.addAll(List.of(Map.of(), List.of(), "", "x", 0L, -1L, Long.MAX_VALUE, 1.5, true));
    values.add(new BigDecimal("1e400"));
    values.add(null);
  }

  /** Returns the tree of a JSON text. */
  static Object parse(String json) {
    return requireNonNull(JsonReader.of(json.replace('\'', '"').getBytes(UTF_8)).nextTree());
  }

  private void collect(@Nullable Object tree) {
    values.add(tree);
    if (tree instanceof Map<?, ?> map) {
      map.forEach(
          (name, value) -> {
            names.add((String) name);
            collect(value);
          });
    } else if (tree instanceof List<?> list) {
      list.forEach(this::collect);
    }
  }

  @Override
  public Object apply(Random random) {
    Object tree = corpus.get(random.nextInt(corpus.size()));
    for (int i = random.nextInt(5); i > 0; i--) {
      // A tree that has become null is none.
      tree = requireNonNull(mutate(tree, random, true), "tree");
    }
    return tree;
  }

  /** Changes something on a random way down. */
  private @Nullable Object mutate(@Nullable Object tree, Random random, boolean root) {
    boolean here = !root && random.nextInt(3) == 0;
    if (!here && tree instanceof Map<?, ?> map) {
      return mutateMap(map, random);
    } else if (!here && tree instanceof List<?> list) {
      return mutateList(list, random);
    }
    return root ? requireNonNull(tree) : replacement(tree, random);
  }

  private @Nullable Object replacement(@Nullable Object tree, Random random) {
    return switch (random.nextInt(12)) {
      case 0 -> nested(tree, random);
      case 1 -> tree == null ? List.of() : List.of(tree, tree);
      default -> values.get(random.nextInt(values.size()));
    };
  }

  private static @Nullable Object nested(@Nullable Object tree, Random random) {
    @Nullable Object nested = tree;
    for (int i = random.nextInt(50); i > 0; i--) {
      Map<String, @Nullable Object> outer = new LinkedHashMap<>();
      outer.put("x", nested);
      nested = random.nextBoolean() ? outer : java.util.Arrays.asList(nested, 1L);
    }
    return nested;
  }

  private Map<String, @Nullable Object> mutateMap(Map<?, ?> map, Random random) {
    List<String> order = new ArrayList<>();
    map.keySet().forEach(name -> order.add((String) name));
    Map<String, @Nullable Object> copy = new LinkedHashMap<>();
    order.forEach(name -> copy.put(name, map.get(name)));
    String chosen = order.isEmpty() ? "" : order.get(random.nextInt(order.size()));
    switch (random.nextInt(8)) {
      case 0 -> copy.remove(chosen);
      case 1 -> copy.put(anyName(random), copy.get(chosen));
      case 2 -> copy.put(anyName(random), values.get(random.nextInt(values.size())));
      default -> {
        if (!order.isEmpty()) {
          copy.put(chosen, mutate(copy.get(chosen), random, false));
        }
      }
    }
    return copy;
  }

  private List<@Nullable Object> mutateList(List<?> list, Random random) {
    List<@Nullable Object> copy = new ArrayList<>(list);
    int at = random.nextInt(copy.size() + 1);
    if (at == copy.size()) {
      copy.add(values.get(random.nextInt(values.size())));
      return copy;
    }
    switch (random.nextInt(6)) {
      case 0 -> copy.remove(at);
      case 1 -> copy.add(at, copy.get(at));
      case 2 -> copy.add(copy.remove(at));
      default -> copy.set(at, mutate(copy.get(at), random, false));
    }
    return copy;
  }

  private String anyName(Random random) {
    return names.get(random.nextInt(names.size()));
  }
}
