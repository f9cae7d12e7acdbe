package dev.clientgo.examples.liveview;

import dev.clientgo.apimachinery.meta.MicroTime;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Deadline;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.liveview.Part;
import dev.clientgo.liveview.Scene;
import dev.clientgo.liveview.Text;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The scene of leader election, with the default times. Its steps move the clock of both
 * candidates, so that it waits for its reader, and its reader not for it.
 */
final class ReplicasScene {

  private static final Duration RETRY_PERIOD = Duration.ofSeconds(2);
  private static final Duration LEASE_DURATION = Duration.ofSeconds(15);

  private static final Duration LONGEST_REQUEST = Duration.ofSeconds(1);
  private static final Duration LOOK = Duration.ofMillis(10);

  /** The longest pause of a candidate. */
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(4400);

  /** More than the lease duration, 15 s, and the longest pause. */
  private static final int MOST_PERIODS = 30;

  private final PodPipeline pods;
  private FakeClock clock = FakeClock.create();
  private List<Replica> replicas = List.of();

  ReplicasScene(PodPipeline pods) {
    this.pods = pods;
  }

  Scene scene() {
    return new Scene(
        "two-replicas",
        new Text("Two replicas, one lease", "两个副本，一个租约"),
        List.of(
            step(
                Set.of(Part.LEASE, Part.WORKERS),
                "Two replicas of one controller run: two processes. Both"
                    + " have a warm cache. replica-a has created the Lease, so it leads, and only"
                    + " its workers run: they have reconciled default/web-1. In replica-b the key"
                    + " waits in the queue. The Lease is an object on the server.",
                "同一个控制器运行着两个副本，也就是两个进程。两者的缓存都已就绪。replica-a 创建了租约（Lease），所以它是领导者，"
                    + "只有它的 worker 在运行：已经处理了 default/web-1。在 replica-b 里，这个 key 在队列中等待。租约是服务器上的一个对象。",
                this::begin),
            step(
                Set.of(Part.LEASE, Part.WRITE, Part.WORKERS),
                "Six seconds pass; each step of this scene moves the clock of both. Every 2 s, the"
                    + " retry period, replica-a renews the Lease: a write like any other. replica-b"
                    + " reads the Lease now and then, and sees that it changes.",
                "过去了 6 秒（这个场景的每一步都会拨动两者的时钟）。replica-a 每 2 秒（retry period）续约一次；续约就是一次普通的写入。"
                    + "replica-b 不时读取租约，看到它在变化。",
                this::renew),
            step(
                Set.of(Part.LEASE, Part.WIRE, Part.WORKERS),
                "The network of replica-a is cut, and default/web-2 is created. replica-a cannot"
                    + " renew, and its cache does not have web-2. But it still leads, because its"
                    + " lease has not run out: replica-b, which has the key, must wait.",
                "replica-a 的网络断了，同时创建了 default/web-2。replica-a 无法续约，它的缓存里也没有 web-2。"
                    + "但它仍是领导者，因为租约还没有到期：replica-b 已有这个 key，却必须等待。",
                this::cut),
            step(
                Set.of(Part.LEASE, Part.WORKERS),
                "replica-a has tried to renew for 10 s, the renew deadline, and gives up: its workers"
                    + " stop before anyone else may lead. Its last renewal was 12 s ago, and the"
                    + " lease duration is 15 s. For these seconds nobody leads, and that is safe.",
                "replica-a 尝试续约已有 10 秒（renew deadline），于是放弃：不等别的副本有机会接任，它的 worker 就已停止。"
                    + "距最后一次续约 12 秒，而 lease duration 是 15 秒。这几秒没有领导者，但这样才安全。",
                this::giveUp),
            step(
                Set.of(Part.LEASE, Part.WORKERS),
                "replica-b has seen the same Lease for 15 s, the lease duration, by its own clock."
                    + " It takes the Lease, and its workers begin at once: the cache is warm, and"
                    + " both keys were in the queue.",
                "按 replica-b 自己的时钟，租约已有 15 秒（lease duration）没有变化。它取得租约，worker 立刻开始："
                    + "缓存早已就绪，两个 key 也都在队列里。",
                this::takeOver),
            step(
                Set.of(Part.LEASE, Part.QUEUE),
                "The network is back. The cache of replica-a catches up, and it competes again: most"
                    + " programs exit when they lose the Lease, and are restarted. It sees the"
                    + " Lease of replica-b, and waits, with both keys in its queue.",
                "网络恢复了。replica-a 的缓存追上来，它再次参与竞争。（实际中，多数程序失去租约后会直接退出，再被重新拉起。）"
                    + "它看到租约属于 replica-b，于是等待，两个 key 都在它的队列里。",
                this::comeBack)));
  }

  /** A step that also shows the Lease as it is at its end. */
  private Scene.Step step(Set<Part> about, String en, String zh, Scene.Body body) {
    return Scenes.step(
        about,
        en,
        zh,
        () -> {
          body.run();
          show();
        });
  }

  private Replica first() {
    return replicas.get(0);
  }

  private Replica second() {
    return replicas.get(1);
  }

  private void begin() throws InterruptedException {
    clock = FakeClock.create();
    replicas = pods.beginReplicas(clock);
    first().compete();
    pods.await(first()::works);
    second().compete();
    pods.await(() -> second().leader().equals("replica-a"));
    pods.create("default", "web-1", "node-1");
    pods.await(() -> first().reconciled() == 1 && second().queued() == 1);
  }

  private void renew() throws InterruptedException {
    int before = first().renewals();
    passUntil(() -> first().renewals() >= before + 3);
  }

  private void cut() throws InterruptedException {
    first().cut(true);
    pods.cut();
    pods.create("default", "web-2", "node-2");
    pods.await(() -> second().queued() == 2);
    pass(4);
    require(first().works() && !second().isLeader(), "replica-a leads, as its lease has not ended");
  }

  private void giveUp() throws InterruptedException {
    passUntil(() -> !first().isLeader());
    pods.await(() -> !first().works());
    require(!second().isLeader(), "replica-b waits");
  }

  private void takeOver() throws InterruptedException {
    passUntil(() -> holder().equals("replica-b"));
    pods.await(() -> second().reconciled() == 2);
    require(!first().works(), "replica-a has stopped");
  }

  private void comeBack() throws InterruptedException {
    first().cut(false);
    first().compete();
    pods.await(
        () ->
            first().leader().equals("replica-b")
                && first().informer().indexer().listKeys().size() == 2);
    require(!first().isLeader(), "replica-b leads");
  }

  private Unstructured lease() {
    return pods.server()
        .objects(Lease.TYPE.resource())
        .get(Replica.LEASE.namespace(), Replica.LEASE.name())
        .orElseThrow();
  }

  private String holder() {
    return lease().nestedString("spec", "holderIdentity").orElse("");
  }

  /** Shows the Lease as the server has it, and which replica works: its holder, if it competes. */
  private void show() throws InterruptedException {
    Unstructured lease = lease();
    String holder = holder();
    pods.await(
        () ->
            replicas.stream()
                .filter(replica -> replica.name().equals(holder))
                .allMatch(replica -> replica.works() || !replica.competes()));
    MicroTime renewed = MicroTime.parse(lease.nestedString("spec", "renewTime").orElseThrow());
    pods.view()
        .lease(
            holder,
            replicas.stream().filter(Replica::works).map(Replica::name).findFirst().orElse(""),
            Duration.between(renewed.instant(), clock.now()),
            LEASE_DURATION);
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException("it is not so that " + what);
    }
  }

  /** Lets seconds pass, two at a time: then the first replica asks for its Lease again. */
  private void pass(int seconds) throws InterruptedException {
    for (int i = 0; i < seconds; i += 2) {
      pods.await(this::isQuiet);
      int before = first().attempts();
      clock.advance(RETRY_PERIOD);
      Deadline deadline = Clock.system().deadline(LONGEST_REQUEST);
      while (((first().competes() && first().attempts() == before) || isLate(second()))
          && deadline.sleep(LOOK)) {
        // It may have begun its pause after the clock moved; then it asks after the next period.
      }
      show();
    }
  }

  /** Returns whether a candidate is asking: it gives up after 5 s of this clock. */
  private static boolean isLate(Replica replica) {
    return replica.competes() && replica.sinceAttempt().compareTo(LONGEST_PAUSE) > 0;
  }

  private boolean isQuiet() {
    return replicas.stream().noneMatch(Replica::isAsking)
        && clock.waiters() >= replicas.stream().filter(Replica::competes).count();
  }

  private void passUntil(BooleanSupplier condition) throws InterruptedException {
    for (int i = 0; i < MOST_PERIODS && !condition.getAsBoolean(); i++) {
      pass(2);
      pods.await(this::isQuiet); // A candidate whose time has come gives up first.
    }
    pods.await(condition);
  }
}
