package dev.clientgo.controller.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Which slots the caches follow while slots change hands. */
final class FollowedSlotsTest {

  private final List<SortedSet<Integer>> followed = new ArrayList<>();
  private final FollowedSlots slots = new FollowedSlots(Clock.system(), followed::add);

  private static SortedSet<Integer> slots(Integer... slots) {
    return new TreeSet<>(List.of(slots));
  }

  @Test
  void caches_readSlotsBeforeTheyAreTaken_once() throws InterruptedException {
    assertThat(slots.await(Duration.ZERO)).isFalse();
    slots.expects(slots(1, 2, 3));
    assertThat(slots.await(Duration.ZERO)).isTrue();
    slots.taken(slots(1));
    slots.taken(slots(2, 3));

    assertThat(followed).containsExactly(slots(1, 2, 3));
  }

  @Test
  void caches_shrinkOnce_whenAllSlotsAreGivenAway() {
    slots.expects(slots(1, 2, 3, 4));
    slots.taken(slots(1, 2, 3, 4));
    slots.expects(slots(1, 2));
    slots.left(slots(3), "it goes to another member");
    assertThat(followed).hasSize(1);
    slots.left(slots(4), "it goes to another member");

    assertThat(followed).containsExactly(slots(1, 2, 3, 4), slots(1, 2));
  }

  @Test
  void caches_growAtOnce_andKeepWhatIsNotGivenAwayYet() {
    slots.expects(slots(1, 2));
    slots.taken(slots(1, 2));
    slots.expects(slots(2, 3));
    assertThat(followed).last().isEqualTo(slots(1, 2, 3));
    slots.taken(slots(3));
    slots.left(slots(1), "it goes to another member");

    assertThat(followed).containsExactly(slots(1, 2), slots(1, 2, 3), slots(2, 3));
  }

  @Test
  void caches_stayAsTheyAre_ifSlotsAreLostAndTakenAgain() {
    slots.expects(slots(1, 2));
    slots.taken(slots(1, 2));
    slots.left(slots(1, 2), "the lease was not renewed in time");
    slots.taken(slots(1, 2));
    slots.left(slots(1, 2), "the Lease of this member was deleted");
    slots.expects(slots(1, 2));
    slots.taken(slots(2));

    assertThat(followed).containsExactly(slots(1, 2));
  }

  @Test
  void memberWithoutSlots_followsNone() throws InterruptedException {
    slots.expects(slots());

    assertThat(slots.await(Duration.ZERO)).isTrue();
    assertThat(followed).containsExactly(slots());
  }

  @Test
  void cachesThatFail_areToldAgain_byTheNextChange() {
    FollowedSlots failing =
        new FollowedSlots(
            Clock.system(),
            all -> {
              followed.add(all);
              if (followed.size() == 1) {
                throw new StackOverflowError("injected");
              }
            });
    assertThatThrownBy(() -> failing.expects(slots(1, 2))).isInstanceOf(StackOverflowError.class);

    failing.taken(slots(1, 2));

    assertThat(followed).containsExactly(slots(1, 2), slots(1, 2));
  }
}
