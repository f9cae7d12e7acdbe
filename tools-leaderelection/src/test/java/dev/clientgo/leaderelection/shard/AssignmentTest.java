package dev.clientgo.leaderelection.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.kubernetes.coordination.v1.LeaseSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The record of the owners in the Lease of the group. */
final class AssignmentTest {

  private static Lease lease(Map<String, String> annotations) {
    return Lease.of(
        "shop",
        "cart",
        lease ->
            lease
                .editMetadata(m -> m.annotations(annotations))
                .spec(LeaseSpec.builder().leaseTransitions(7).build()));
  }

  @Test
  void annotations_areRead() {
    MemberId a = new MemberId("cart-a", "1");
    MemberId b = new MemberId("cart-b", "2");
    Assignment assignment = new Assignment(7, java.util.Arrays.asList(a, a, null, b));

    assertThat(assignment.annotations())
        .containsEntry(Assignment.SLOTS, "4")
        .containsEntry(Assignment.OWNERS, "cart-a@1: 0-1\ncart-b@2: 3\n");
    Assignment read = Assignment.of(lease(assignment.annotations()));
    assertThat(read).isEqualTo(assignment);
    assertThat(read.slotsOf(a)).containsExactly(0, 1);
    assertThat(read.members()).containsExactly(a, b);
  }

  @Test
  void of_whatAPersonHasEdited_tellsWhatIsWrong() {
    assertThatThrownBy(() -> Assignment.of(lease(Map.of())))
        .hasMessage("annotation shards.clientgo.dev/slots is not the number of slots: null");
    assertThatThrownBy(() -> owners("cart-a@1: 0\ncart-b@2: 0-1"))
        .hasMessage("annotation shards.clientgo.dev/owners: slot 0 has two owners");
    assertThatThrownBy(() -> owners("cart-a"))
        .hasMessage("annotation shards.clientgo.dev/owners: \"cart-a\" is not NAME@UID: SLOTS");
    assertThatThrownBy(() -> owners("cart-a: 1"))
        .hasMessage("annotation shards.clientgo.dev/owners: \"cart-a\" is not NAME@UID of a Lease");
  }

  private static Assignment owners(String text) {
    return Assignment.of(lease(Map.of(Assignment.SLOTS, "4", Assignment.OWNERS, text)));
  }

  @Test
  void annotations_ofFiftyMembers_areSmall() {
    List<MemberId> owners = new ArrayList<>();
    for (int slot = 0; slot < 256; slot++) {
      String name = "my-operator-shards-%016x".formatted(slot % 50);
      owners.add(new MemberId(name, new UUID(slot % 50, 1).toString()));
    }

    assertThat(new Assignment(1, new ArrayList<>(owners)).annotations().get(Assignment.OWNERS))
        .hasSizeBetween(4_000, 6_000);
  }
}
