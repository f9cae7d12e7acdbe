package dev.clientgo.leaderelection;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.clock.Clock;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.leaderelection.internal.LeaseRequest;
import dev.clientgo.leaderelection.internal.LeaseRequest.Answer;
import dev.clientgo.leaderelection.internal.LeaseTimings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A world in one thread: processes with clocks of their own, a network, a server, and a seed that
 * decides all that goes wrong. {@link Election} runs in it as it is; only {@link ElectionDriver} is
 * replaced, by {@link SimulatedProcess}.
 *
 * <p>The world knows the true time. After each event, it asks all terms of all living processes
 * whether they would let a write through. A process that is paused is asked too, because it could
 * go on at any moment.
 */
final class ElectionSimulation extends SimulatedWorld {

  /** Makes the election of a process; a test passes one with a wrong rule. */
  interface Rules {
    Election create(
        ElectionSettings settings, Clock clock, RandomGenerator random, Election.Listener listener);
  }

  private static final LeaseLock LOCK = LeaseLock.of("shop", "cart");

  private final Rules rules;
  private final ElectionSettings settings;
  private final List<SimulatedProcess> processes = new ArrayList<>();
  private final Server server = new Server();
  private int begun;

  ElectionSimulation(long seed, Weather weather, Rules rules) {
    super(seed, weather);
    this.rules = rules;
    this.settings = settings("", random);
    for (int i = 0; i < 3; i++) {
      SimulatedProcess process = new SimulatedProcess("p" + i);
      processes.add(process);
      after(between(0, 5 * SECONDS), process::boot);
    }
    after(0, this::misfortune);
  }

  ElectionSimulation traced() {
    trace();
    return this;
  }

  private static ElectionSettings settings(String identity, Random random) {
    long[][] choices = {{15_000, 10_000, 2_000}, {15_000, 14_000, 1_000}, {4_000, 3_000, 500}};
    long[] chosen = choices[random.nextInt(choices.length)];
    return new ElectionSettings(
        LOCK,
        identity.isEmpty() ? "any" : identity,
        new LeaseTimings(
            Duration.ofMillis(chosen[0]),
            Duration.ofMillis(chosen[1]),
            Duration.ofMillis(chosen[2])),
        random.nextBoolean());
  }

  /**
   * Runs until a process leads, and returns how much true time has passed.
   *
   * @throws AssertionError if none does within a time
   */
  Duration awaitLeader(Duration timeout) {
    long start = now;
    long end = now + timeout.toNanos();
    while (leader() == null) {
      if (!next(end)) {
        throw new AssertionError("no process leads after " + timeout + text());
      }
    }
    return Duration.ofNanos(now - start);
  }

  void calmDown() {
    weather = Weather.CALM;
    server.downUntil = now;
    processes.forEach(
        process -> {
          process.cutOffUntil = now;
          process.pausedUntil = Math.min(process.pausedUntil, now);
        });
  }

  /** Returns how many terms have begun. */
  int begun() {
    return begun;
  }

  ElectionSettings settings() {
    return settings;
  }

  /** Returns the process that leads. */
  @Nullable SimulatedProcess leader() {
    return processes.stream().filter(SimulatedProcess::canWrite).findFirst().orElse(null);
  }

  @Override
  protected void check() {
    List<SimulatedProcess> writers = processes.stream().filter(SimulatedProcess::canWrite).toList();
    if (writers.size() > 1) {
      throw new AssertionError(
          "two terms can write at " + now / MILLIS + " ms: " + writers + text());
    }
  }

  /** Lets something go wrong, now and then. */
  private void misfortune() {
    after(between(SECONDS / 2, 8 * SECONDS), this::misfortune);
    if (weather == Weather.CALM) {
      return;
    }
    SimulatedProcess process = processes.get(random.nextInt(processes.size()));
    long lease = settings.timings().leaseDuration().toNanos();
    switch (random.nextInt(8)) {
      case 0, 1 -> process.pause(between(0, 3 * lease));
      case 2 -> process.crash();
      case 3 -> process.cancel();
      case 4 -> process.cutOffUntil = now + between(0, 2 * lease);
      case 5 -> {
        server.downUntil = now + between(0, lease);
        tell(() -> "the server is down until " + server.downUntil / MILLIS + " ms");
      }
      case 6 -> process.clock.jump();
      default -> server.relabel();
    }
  }

  /** The server: one Lease, with optimistic concurrency. Its data survives a restart. */
  private static final class Server {
    private @Nullable Lease lease;
    private long version;
    long downUntil;

    Answer apply(LeaseRequest request) {
      if (request instanceof LeaseRequest.Get) {
        return lease == null ? new Answer.NotFound() : new Answer.Found(lease);
      }
      if (request instanceof LeaseRequest.Create create) {
        return lease == null ? store(create.lease()) : failure("exists already");
      }
      Lease update = ((LeaseRequest.Update) request).lease();
      if (lease == null) {
        return failure("not found");
      }
      return update.metadata().resourceVersion().equals(lease.metadata().resourceVersion())
          ? store(update)
          : new Answer.Conflict();
    }

    private Answer store(Lease stored) {
      ObjectMeta metadata = stored.metadata();
      lease = stored.withMetadata(metadata.with(m -> m.resourceVersion(Long.toString(++version))));
      return new Answer.Found(lease);
    }

    /** Somebody changes the labels, which makes conflicts and is no sign of life. */
    void relabel() {
      if (lease != null) {
        store(lease);
      }
    }
  }

  private static Answer failure(String reason) {
    return new Answer.Failed(new IllegalStateException(reason));
  }

  /** A process with one elector. */
  final class SimulatedProcess implements Election.Listener {
    private final String name;
    final DriftingClock clock = new DriftingClock();
    private final List<LeadershipTerm> terms = new ArrayList<>();
    private String identity;
    private @Nullable Election election;

    /** Grows with each step, so that an answer that comes too late finds nobody. */
    private long step;

    private boolean alive;
    private boolean running;
    private long pausedUntil;
    private long cutOffUntil;

    SimulatedProcess(String name) {
      this.name = name;
      this.identity = name;
    }

    boolean canWrite() {
      terms.removeIf(LeadershipTerm::isOver);
      return alive && !terms.isEmpty();
    }

    /** Starts the process, with an empty memory, if it does not run. */
    void boot() {
      if (alive) {
        return;
      }
      if (chance(0.5)) {
        identity = name + '-' + random.nextInt(1000);
      }
      ElectionSettings own =
          weather == Weather.CALM || chance(0.8) ? settings : settings(identity, random);
      alive = true;
      election =
          rules.create(
              new ElectionSettings(LOCK, identity, own.timings(), own.releaseOnCancel()),
              clock,
              random,
              this);
      start();
    }

    private void start() {
      tell(() -> this + " starts");
      running = true;
      perform(election.start());
    }

    void crash() {
      if (alive) {
        tell(() -> this + " crashes");
        alive = false;
        running = false;
        step++;
        terms.clear();
        after(between(0, 20 * SECONDS), this::boot);
      }
    }

    void pause(long duration) {
      tell(() -> this + " pauses for " + duration / MILLIS + " ms");
      pausedUntil = Math.max(pausedUntil, now + duration);
    }

    /** Tells the elector to stop; it starts again later. */
    void cancel() {
      if (alive && running && now >= pausedUntil) {
        tell(() -> this + " is told to stop");
        step++;
        perform(election.cancel());
      }
    }

    private void perform(Step next) {
      long current = ++step;
      if (next instanceof Step.Call call) {
        wakeAfter(clock.real(call.timeout()), current, () -> call.then().apply(failure("timeout")));
        send(call.request(), answer -> wakeAfter(0, current, () -> call.then().apply(answer)));
      } else if (next instanceof Step.Pause pause) {
        wakeAfter(clock.real(pause.duration()), current, pause.then());
      } else if (next instanceof Step.AwaitWork work) {
        boolean ends = weather == Weather.CALM || chance(0.9);
        long takes = ends ? between(0, SECONDS) : clock.real(work.timeout());
        wakeAfter(takes, current, () -> work.then().apply(ends));
      } else {
        tell(() -> this + " has stopped");
        running = false;
        after(between(0, 20 * SECONDS), () -> startAgain(current));
      }
    }

    private void startAgain(long current) {
      if (alive && current == step) {
        start();
      }
    }

    /** Continues after a delay, or when the process is no longer paused. */
    private void wakeAfter(long delay, long current, Supplier<Step> then) {
      after(
          delay,
          () -> {
            if (!alive || current != step) {
              return;
            }
            if (now < pausedUntil) {
              wakeAfter(pausedUntil - now + between(0, MILLIS), current, then);
            } else {
              perform(then.get());
            }
          });
    }

    private void send(LeaseRequest request, Consumer<Answer> receiver) {
      if (isLost(cutOffUntil)) {
        tell(() -> this + " sends in vain " + request.getClass().getSimpleName());
        return;
      }
      after(
          latency(settings.timings().leaseDuration()),
          () -> {
            if (now < server.downUntil) {
              if (chance(0.5)) {
                after(
                    latency(settings.timings().leaseDuration()),
                    () -> receiver.accept(failure("the server is down")));
              }
              return;
            }
            Answer answer = server.apply(request);
            tell(() -> "the server answers " + describe(request) + " of " + this + ": " + answer);
            if (!isLost(cutOffUntil)) {
              after(latency(settings.timings().leaseDuration()), () -> receiver.accept(answer));
            }
          });
    }

    @Override
    public void startedLeading(LeadershipTerm term) {
      begun++;
      tell(() -> this + " leads");
      terms.add(term);
    }

    @Override
    public void stoppedLeading(String reason) {
      tell(() -> this + " no longer leads: " + reason);
    }

    @Override
    public void newLeader(String leader) {}

    @Override
    public void slowPath() {}

    @Override
    public void succeeded() {}

    @Override
    public void failed(LeaseRequest request, Answer answer) {}

    @Override
    public String toString() {
      return identity;
    }
  }

  private static String describe(LeaseRequest request) {
    return request.getClass().getSimpleName();
  }
}
