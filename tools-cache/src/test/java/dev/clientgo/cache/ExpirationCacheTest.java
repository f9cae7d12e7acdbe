package dev.clientgo.cache;

import static dev.clientgo.cache.Item.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.FakeClock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class ExpirationCacheTest {

  private static final Duration TTL = Duration.ofSeconds(30);

  private final FakeClock clock = FakeClock.create();
  private final ExpirationCache<Item> cache =
      ExpirationCache.create(Item.KEY, ExpirationPolicy.timeToLive(TTL), clock);

  /** A read removes an expired object (TestTTLExpirationBasic). */
  @Test
  void get_ofExpiredObject_removesIt() {
    cache.add(item("foo", 1));
    clock.advance(TTL.plusNanos(1));

    assertThat(cache.listKeys()).containsExactly("foo");
    assertThat(cache.get(item("foo", 0))).isEmpty();
    assertThat(cache.listKeys()).isEmpty();
  }

  /** Adding an expired object again resets its age (TestReAddExpiredItem). */
  @Test
  void add_ofExpiredObject_makesItYoungAgain() {
    cache.add(item("foo", 1));
    clock.advance(TTL);
    assertThat(cache.getByKey("foo")).contains(item("foo", 1));

    cache.update(item("foo", 2));
    clock.advance(TTL);

    assertThat(cache.getByKey("foo")).contains(item("foo", 2));
  }

  /** A list removes all expired objects (TestTTLList). */
  @Test
  void list_givesWhatHasNotExpiredAndRemovesTheRest() {
    Set<String> expired = new HashSet<>();
    ExpirationCache<Item> picky =
        ExpirationCache.create(Item.KEY, (item, age) -> expired.contains(item.name()), clock);
    picky.replace(List.of(item("foo", 1), item("foo1", 2), item("foo2", 3)), "1");

    expired.addAll(List.of("foo", "foo2"));

    assertThat(picky.list()).containsExactly(item("foo1", 2));
    assertThat(picky.listKeys()).containsExactly("foo1");
  }

  @Test
  void get_thatExpiresAnObject_sparesOneThatIsAddedInTheMeantime() {
    // The policy is asked between reading and removing: that is when the other thread adds.
    Item young = item("foo", 2);
    AtomicReference<Runnable> meantime = new AtomicReference<>(() -> {});
    ExpirationCache<Item> raced =
        ExpirationCache.create(
            Item.KEY,
            (item, age) -> {
              meantime.get().run();
              return item.value() == 1;
            },
            clock);
    meantime.set(() -> raced.add(young));
    raced.add(item("foo", 1));

    assertThat(raced.getByKey("foo")).isEmpty();

    meantime.set(() -> {});
    assertThat(raced.getByKey("foo")).contains(young);
  }

  /** An object expires when it is older than its time to live (TestTTLPolicy). */
  @Test
  void timeToLive_expiresWhatIsOlder() {
    ExpirationPolicy<Object> policy = ExpirationPolicy.timeToLive(TTL);

    assertThat(policy.isExpired("", Duration.ZERO)).isFalse();
    assertThat(policy.isExpired("", TTL)).isFalse();
    assertThat(policy.isExpired("", TTL.plusNanos(1))).isTrue();
    for (Duration never : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
      assertThat(ExpirationPolicy.timeToLive(never).isExpired("", Duration.ofDays(1))).isFalse();
    }
  }
}
