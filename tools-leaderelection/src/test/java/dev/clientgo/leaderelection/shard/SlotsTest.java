package dev.clientgo.leaderelection.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.sharding.ShardField;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.leaderelection.shard.Slots.Candidate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The slots of objects, and who should own them. */
final class SlotsTest {

  private static final Slots SLOTS = new Slots(256);

  @Test
  void of_isTheUpperPartOfTheHash() {
    // The published FNV-1a hashes of "" and "a" are cbf29ce484222325 and af63dc4c8601ec8c.
    assertThat(SLOTS.of("")).isEqualTo(0xcb);
    assertThat(SLOTS.of("a")).isEqualTo(0xaf);
    assertThat(new Slots(4096).of("a")).isEqualTo(0xaf6);
    assertThat(new Slots(1).of("a")).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 256, 4096})
  void selector_hasTheObjectsOfItsSlots_andNoOthers(int count) {
    Slots slots = new Slots(count);
    Random random = new Random(count);
    Set<Integer> some = new TreeSet<>(List.of(0, count - 1, count / 2, count / 3));
    ShardSelector selector = slots.selector(some);

    for (int i = 0; i < 10_000; i++) {
      String uid = SlotUids.next(random);
      assertThat(selector.matches(ShardField.hash(uid)))
          .as(uid)
          .isEqualTo(some.contains(slots.of(uid)));
    }
    assertThat(selector.share()).isEqualTo((double) some.size() / count);
    assertThat(slots.selector(Set.of()).isNothing()).isTrue();
    List<Integer> all = IntStream.range(0, count).boxed().toList();
    assertThat(slots.selector(all).isEverything()).isTrue();
  }

  @Test
  void text_hasRanges_andIsRead() {
    Set<Integer> slots = new TreeSet<>(List.of(0, 1, 2, 5, 9, 10, 255));

    assertThat(Slots.text(slots)).isEqualTo("0-2,5,9-10,255");
    assertThat(SLOTS.parse("0-2,5,9-10,255")).isEqualTo(slots);
    assertThat(Slots.text(Set.of())).isEmpty();
  }

  @Test
  void parse_ofOther_tellsThePlace() {
    assertThatThrownBy(() -> SLOTS.parse("1,x"))
        .hasMessage("\"x\" is not a slot or a range of slots");
    assertThatThrownBy(() -> SLOTS.parse("250-256"))
        .hasMessage("there are no slots 250-256 among 256");
    assertThatThrownBy(() -> new Slots(100))
        .hasMessage("the number of slots must be a power of two from 1 to 4096: 100");
  }

  private static List<Candidate> candidates(int count) {
    List<Candidate> candidates = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      candidates.add(new Candidate(new MemberId("cart-" + i, "uid-" + i), "web-" + i));
    }
    return candidates;
  }

  private static int[] owners(List<Candidate> candidates) {
    int[] owners = new int[256];
    for (int slot = 0; slot < owners.length; slot++) {
      MemberId owner = Slots.owner(slot, candidates);
      owners[slot] = Integer.parseInt(String.valueOf(owner).replaceAll(".*-", ""));
    }
    return owners;
  }

  @Test
  void owner_ofOneMoreMember_isItOrTheOneBefore() {
    for (int count = 1; count < 50; count++) {
      int[] before = owners(candidates(count));
      int[] after = owners(candidates(count + 1));
      int moved = 0;
      for (int slot = 0; slot < before.length; slot++) {
        assertThat(after[slot]).isIn(before[slot], count);
        moved += before[slot] == after[slot] ? 0 : 1;
      }
      assertThat(moved).as(count + 1 + " members").isBetween(1, 3 * 256 / (count + 1) + 5);
    }
  }

  @Test
  void owner_ofSimilarNames_isSpreadEvenly() {
    int[] slots = new int[10];
    Arrays.stream(owners(candidates(10))).forEach(owner -> slots[owner]++);

    assertThat(Arrays.stream(slots).boxed()).allSatisfy(n -> assertThat(n).isBetween(12, 42));
  }

  @Test
  void owner_withoutCandidates_isNone() {
    assertThat(Slots.owner(0, List.of())).isNull();
  }
}
