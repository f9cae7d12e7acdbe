package dev.clientgo.leaderelection.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.MicroTime;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.leaderelection.internal.LeaseRequest;
import dev.clientgo.leaderelection.internal.LeaseRequest.Answer;
import dev.clientgo.leaderelection.internal.LeaseTimings;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;

/** A schedule of {@link ShardModelTest} that is too rare for it to find each time. */
final class MembershipTest {

  private final FakeClock clock = FakeClock.create();
  private final ShardSettings settings =
      new ShardSettings(
          LeaseLock.of("shop", "cart"),
          "a",
          new LeaseTimings(
              LeaseTimings.LEASE_DURATION, LeaseTimings.RENEW_DEADLINE, LeaseTimings.RETRY_PERIOD),
          new Slots(1));
  private final Membership member =
      new Membership(settings, new SafetyRules(), clock, new Random(1), new Silent());

  private static final class Silent implements Membership.Listener {
    @Override
    public void expects(SortedSet<Integer> slots) {}

    @Override
    public void taken(SortedSet<Integer> slots) {}

    @Override
    public void left(SortedSet<Integer> slots, String reason) {}

    @Override
    public void lost(ShardWork work) {}

    @Override
    public void failed(LeaseRequest request, Answer.Failed answer) {}

    @Override
    public void problem(String text) {}
  }

  private static Lease stored(Lease lease, String uid) {
    return lease.with(l -> l.editMetadata(m -> m.uid(uid)));
  }

  /** Returns the Lease of the group, in which a member owns the slot. */
  private Lease record(int version, MemberId owner) {
    Assignment assignment = new Assignment(version, List.of(owner));
    return stored(settings.recorded(null, assignment, MicroTime.now(clock)), "group");
  }

  /** Returns the only request that the member wants to send. */
  private LeaseRequest request() {
    List<LeaseRequest> requests = member.advance().requests();
    assertThat(requests).hasSize(1);
    return requests.get(0);
  }

  /** A member whose Lease was deleted, and its next Lease with the same name. */
  @Test
  void answerThatALeaseIsGone_saysNothingOfALaterOneOfItsName() {
    member.synced();
    LeaseRequest.Create join = (LeaseRequest.Create) request();
    member.answer(join, new Answer.Found(stored(join.lease(), "own")));
    member.answer(request(), new Answer.Found(record(1, new MemberId("b", "first"))));
    LeaseRequest question = request();
    assertThat(question).isEqualTo(new LeaseRequest.Get("b"));

    member.seen(record(2, new MemberId("b", "second")));
    member.answer(question, new Answer.NotFound());

    assertThat(request()).isEqualTo(question);
  }

  /** Another member may still act by the record that the server has lost. */
  @Test
  void recordThatTheServerHasLost_endsTheWork_andTheRestoredOneCountsAfterTheLeaseDuration() {
    member.synced();
    LeaseRequest.Create join = (LeaseRequest.Create) request();
    Lease own = stored(join.lease(), "own");
    member.answer(join, new Answer.Found(own));
    member.answer(request(), new Answer.Found(record(2, MemberId.of(own))));
    member.advance();
    assertThat(member.slots().acting()).containsExactly(0);

    Lease restored = record(1, MemberId.of(own));
    member.seen(restored);
    assertThat(member.slots().acting()).as("the watch may be late").containsExactly(0);
    LeaseRequest question = request();
    assertThat(question).isEqualTo(new LeaseRequest.Get("cart"));
    member.answer(question, new Answer.Found(restored));

    for (int seconds = 0; seconds < 14; seconds += 2) {
      assertThat(member.advance().requests()).isEmpty();
      assertThat(member.slots().acting()).as(seconds + " s").isEmpty();
      clock.advance(LeaseTimings.RETRY_PERIOD);
      renew();
    }
    clock.advance(LeaseTimings.RETRY_PERIOD);
    renew();
    member.advance();
    assertThat(member.slots().acting()).containsExactly(0);
  }

  /** Lets the member join and own the slot, and returns its Lease. */
  private Lease acting() {
    member.synced();
    LeaseRequest.Create join = (LeaseRequest.Create) request();
    Lease own = at("100", stored(join.lease(), "own"));
    member.answer(join, new Answer.Found(own));
    member.answer(request(), new Answer.Found(record(2, MemberId.of(own))));
    member.advance();
    assertThat(member.slots().acting()).containsExactly(0);
    return own;
  }

  private static Lease at(String version, Lease lease) {
    return lease.with(l -> l.editMetadata(m -> m.resourceVersion(version)));
  }

  private static Lease renewedAt(MicroTime time, Lease lease) {
    return lease.with(l -> l.editSpec(spec -> spec.renewTime(time)));
  }

  /** The answer to a renewal was lost, and the clock of the machine was set back before it. */
  @Test
  void clockThatWasSetBack_isNoRestoreOfTheServer() {
    Lease own = acting();
    clock.advance(LeaseTimings.RETRY_PERIOD);
    member.answer(request(), new Answer.Conflict());

    MicroTime earlier = MicroTime.of(clock.now().minusSeconds(60));
    member.answer(request(), new Answer.Found(at("101", renewedAt(earlier, own))));

    assertThat(member.slots().acting()).containsExactly(0);
  }

  /** The clock of the machine was set back between the renewal that is lost and the one before. */
  @Test
  void restoreOfTheServer_isNoticed_thoughTheClockWasSetBack() {
    Lease own = acting();
    clock.advance(LeaseTimings.RETRY_PERIOD);
    member.answer(request(), new Answer.Conflict());

    MicroTime later = MicroTime.of(clock.now().plusSeconds(60));
    member.answer(request(), new Answer.Found(at("99", renewedAt(later, own))));

    assertThat(member.slots().acting()).isEmpty();
  }

  /** A person has deleted the Lease of the group, and then the server was restored. */
  @Test
  void restoreOfTheServer_bringsBackADeletedRecord_whichCountsAfterTheLeaseDuration() {
    Lease own = acting();
    member.gone("cart");
    member.answer(request(), new Answer.NotFound());
    assertThat(member.slots().acting()).isEmpty();

    Lease restored = record(3, MemberId.of(own));
    member.seen(restored);
    member.answer(request(), new Answer.Found(restored));
    for (int seconds = 0; seconds < 16; seconds += 2) {
      assertThat(member.slots().acting()).as(seconds + " s").isEmpty();
      clock.advance(LeaseTimings.RETRY_PERIOD);
      renew();
    }
    member.advance();

    assertThat(member.slots().acting()).containsExactly(0);
  }

  /** The watch shows, late, the state that the server has lost. */
  @Test
  void lateEventOfALostRecord_isAskedAbout() {
    Lease own = acting();
    member.seen(record(1, MemberId.of(own)));
    member.answer(request(), new Answer.Found(record(1, MemberId.of(own))));
    assertThat(member.slots().acting()).isEmpty();

    member.seen(record(2, MemberId.of(own)));

    assertThat(request()).isEqualTo(new LeaseRequest.Get("cart"));
  }

  private void renew() {
    LeaseRequest.Update renewal = (LeaseRequest.Update) request();
    member.answer(renewal, new Answer.Found(renewal.lease()));
  }
}
