package dev.clientgo.cache;

import dev.clientgo.cache.ThreadSafeStore.Change;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lets two threads take turns in many ways, and checks that each method happens at one moment. */
@Param(name = "key", gen = IntGen.class, conf = "1:2")
@Param(name = "value", gen = IntGen.class, conf = "1:3")
@Timeout(600)
public final class ThreadSafeStoreLincheckTest {

  private static final List<String> SMALL = List.of("small");
  private static final List<String> BIG = List.of("big");

  private final ThreadSafeStore<Integer> store =
      new ThreadSafeStore<>(String::valueOf, Map.of("size", value -> value < 3 ? SMALL : BIG));

  @Operation
  public void put(@Param(name = "value") int value) {
    store.apply(Change.put("k2", value));
  }

  @Operation
  public void delete(@Param(name = "key") int key) {
    store.apply(Change.deleteByKey("k" + key));
  }

  /** Changes two keys at once. */
  @Operation
  public void move(@Param(name = "value") int value) {
    store.apply(List.of(Change.put("k1", value), Change.deleteByKey("k2")), (position, old) -> {});
  }

  @Operation
  public void replace(@Param(name = "value") int value) {
    Map<String, Integer> items = new HashMap<>();
    items.put("k2", value);
    store.replace(items, "1");
  }

  @Operation
  public void bookmark(@Param(name = "value") int value) {
    store.bookmark("b" + value);
  }

  @Operation
  public String version() {
    return store.snapshot().resourceVersion();
  }

  @Operation
  public String get(@Param(name = "key") int key) {
    return Objects.toString(store.snapshot().get("k" + key));
  }

  /** All values, one digit each. */
  @Operation
  public int list() {
    return digits(store.snapshot().list());
  }

  @Operation
  public String keysOfSmall() {
    return String.join(" ", store.snapshot().indexKeys("size", SMALL.get(0)));
  }

  @Operation
  public int small() {
    return digits(store.snapshot().byIndex("size", SMALL.get(0)));
  }

  /** Two reads of one snapshot, which must agree. */
  @Operation
  public String listAndSmall() {
    IndexSnapshot<Integer> snapshot = store.snapshot();
    return digits(snapshot.list()) + " " + digits(snapshot.byIndex("size", SMALL.get(0)));
  }

  /** In ascending order; there are two values at most. */
  private static int digits(Iterable<Integer> values) {
    int digits = 0;
    for (int value : values) {
      digits = value > digits ? 10 * digits + value : 10 * value + digits;
    }
    return digits;
  }

  /** The state that every reader must see. */
  public static final class SequentialStore {
    private final Map<String, Integer> items = new HashMap<>();
    private String version = "";

    public void put(int value) {
      items.put("k2", value);
    }

    public void delete(int key) {
      items.remove("k" + key);
    }

    public void move(int value) {
      items.put("k1", value);
      items.remove("k2");
    }

    public void replace(int value) {
      items.clear();
      items.put("k2", value);
      version = "1";
    }

    public void bookmark(int value) {
      version = "b" + value;
    }

    public String version() {
      return version;
    }

    public String get(int key) {
      return Objects.toString(items.get("k" + key));
    }

    public int list() {
      return digits(items.values());
    }

    public String keysOfSmall() {
      return String.join(
          " ", items.keySet().stream().filter(key -> items.get(key) < 3).sorted().toList());
    }

    public int small() {
      return digits(items.values().stream().filter(value -> value < 3).toList());
    }

    public String listAndSmall() {
      return list() + " " + small();
    }
  }

  @Test
  void operations_areLinearizable() {
    Lincheck.options()
        .addCustomScenario(scenario("put:1", "move:2", "list small", ""))
        .addCustomScenario(scenario("put:1", "move:3", "keysOfSmall list", ""))
        .addCustomScenario(scenario("", "replace:1", "get:2 small", "list"))
        .addCustomScenario(scenario("bookmark:1", "replace:2", "version list", "version"))
        .addCustomScenario(scenario("move:1", "replace:2", "move:2", "list small"))
        .sequentialSpecification(SequentialStore.class)
        .check(ThreadSafeStoreLincheckTest.class);
  }

  private static ExecutionScenario scenario(
      String before, String thread1, String thread2, String after) {
    return Lincheck.scenario(ThreadSafeStoreLincheckTest.class, before, thread1, thread2, after);
  }
}
