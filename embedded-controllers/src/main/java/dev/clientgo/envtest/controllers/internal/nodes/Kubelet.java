package dev.clientgo.envtest.controllers.internal.nodes;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.Preconditions;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.ControllerBuilder;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.envtest.controllers.internal.nodes.PodTimeline.Moment;
import dev.clientgo.envtest.controllers.internal.pods.Alarm;
import dev.clientgo.envtest.controllers.internal.pods.PodReadiness;
import dev.clientgo.envtest.controllers.internal.pods.TimedReconciler;
import dev.clientgo.envtest.controllers.pods.PodLife;
import dev.clientgo.envtest.controllers.pods.PodScript;
import dev.clientgo.kubernetes.core.v1.ContainerState;
import dev.clientgo.kubernetes.core.v1.Node;
import dev.clientgo.kubernetes.core.v1.NodeAddress;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodPhase;
import dev.clientgo.kubernetes.core.v1.PodSpec;
import dev.clientgo.kubernetes.core.v1.PodStatus;
import dev.clientgo.kubernetes.core.v1.RestartPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs pods by a {@link PodScript}, without processes: it gives them a node, writes the status that
 * the script defines for the time of the clock, and removes a deleted pod when its containers have
 * stopped.
 *
 * <p>Plays the parts of {@code kube-scheduler} and of the {@code kubelet} of each node.
 */
public final class Kubelet implements TimedReconciler {

  /** The exit code of a program that SIGTERM ends. */
  private static final int TERMINATED = 143;

  /** The exit code of a container that was killed. */
  private static final int KILLED = 137;

  private static final String HOST_IP = "172.18.0.2";

  /** How a pod runs, since it was first seen with a node. */
  private record Sandbox(String uid, PodLife life, String ip, @Nullable Instant scheduled) {}

  private final PodScript script;
  private final Clock clock;
  private final Map<Request, Sandbox> sandboxes = new ConcurrentHashMap<>();
  private final Set<Request> unschedulable = ConcurrentHashMap.newKeySet();
  private final AtomicInteger addresses = new AtomicInteger();

  private Kubelet(PodScript script, Clock clock) {
    this.script = script;
    this.clock = clock;
  }

  /** Returns the controller of pods. */
  public static Controller create(
      Function<Reconciler, ControllerBuilder> controller, PodScript script, Alarm alarm) {
    Kubelet kubelet = new Kubelet(script, alarm.clock());
    return controller
        .apply(TimedReconciler.by(alarm, kubelet))
        .forKind(Pod.TYPE)
        .watches(Node.TYPE, node -> Set.copyOf(kubelet.unschedulable))
        .build();
  }

  @Override
  public Optional<Instant> reconcile(Request request, Context context) throws InterruptedException {
    CachedResource<Pod> pods = context.client().resource(Pod.TYPE).inNamespace(request.namespace());
    Pod pod = pods.find(request.name()).orElse(null);
    if (pod == null) {
      sandboxes.remove(request);
      unschedulable.remove(request);
      return Optional.empty();
    }
    PodSpec spec = pod.spec();
    Sandbox sandbox = sandbox(request, pod, spec);
    if (!sandbox.life().isPlayed() && !pod.metadata().isBeingDeleted()) {
      return Optional.empty();
    }
    if (sandbox.scheduled() == null) {
      if (Scheduler.isResponsible(pod)) {
        schedule(request, pod, spec, sandbox.life(), context);
      }
      return Optional.empty();
    }
    unschedulable.remove(request);
    if (pod.metadata().isBeingDeleted()) {
      return stop(pod, sandbox, pods);
    }
    return PodReadiness.hasEnded(pod)
        ? Optional.empty()
        : run(pod, spec, sandbox, sandbox.scheduled(), context);
  }

  /** The script is asked once for each pod. */
  private Sandbox sandbox(Request request, Pod pod, PodSpec spec) {
    String uid = String.valueOf(pod.metadata().uid());
    Sandbox known = sandboxes.get(request);
    if (known == null || !known.uid().equals(uid)) {
      known = new Sandbox(uid, script.lifeOf(pod), newAddress(), null);
    }
    if (known.scheduled() == null && !requireNonNullElse(spec.nodeName(), "").isEmpty()) {
      Instant scheduled = startTime(pod).orElseGet(clock::now);
      known = new Sandbox(uid, known.life(), known.ip(), scheduled);
    }
    sandboxes.put(request, known);
    return known;
  }

  /** A pod has started before, if these controllers took the place of others. */
  private static Optional<Instant> startTime(Pod pod) {
    return Optional.ofNullable(pod.status().startTime()).map(Time::instant);
  }

  /* --------------- Scheduling --------------- */

  private void schedule(Request request, Pod pod, PodSpec spec, PodLife life, Context context)
      throws InterruptedException {
    // Before the nodes are listed, so that a node that comes meanwhile is not missed.
    unschedulable.add(request);
    Scheduler scheduler = new Scheduler(context);
    Optional<String> node = life.isSchedulable() ? scheduler.choose(spec) : Optional.empty();
    if (node.isPresent()) {
      scheduler.bind(pod, node.get());
      return;
    }
    int nodes = context.client().resource(Node.TYPE).list().size();
    String message = "0/" + nodes + " nodes are available.";
    PodStatus status = new PodStatusWriter(pod, clock.now()).unschedulable(message);
    if (!status.equals(pod.status())) {
      context.events().warning(pod, "FailedScheduling", "Scheduling", message);
      write(pod, status, context.client().resource(Pod.TYPE));
    }
  }

  /* --------------- Running --------------- */

  private Optional<Instant> run(
      Pod pod, PodSpec spec, Sandbox sandbox, Instant scheduled, Context context)
      throws InterruptedException {
    Instant now = clock.now();
    RestartPolicy policy = requireNonNullElse(spec.restartPolicy(), RestartPolicy.ALWAYS);
    Moment moment = new PodTimeline(sandbox.life(), policy, scheduled).at(now);
    PodStatus status =
        new PodStatusWriter(pod, now).status(moment, sandbox.ip(), hostIp(spec, context));
    if (!status.equals(pod.status())) {
      write(pod, status, context.client().resource(Pod.TYPE));
    }
    return Optional.ofNullable(moment.next());
  }

  private String newAddress() {
    int address = addresses.incrementAndGet();
    return "10.244." + (address >> 8 & 0xff) + "." + (address & 0xff);
  }

  private static String hostIp(PodSpec spec, Context context) throws InterruptedException {
    Node node =
        context.client().resource(Node.TYPE).find(String.valueOf(spec.nodeName())).orElse(null);
    return node == null
        ? HOST_IP
        : node.status().addresses().stream()
            .filter(address -> "InternalIP".equals(String.valueOf(address.type())))
            .map(NodeAddress::address)
            .findFirst()
            .orElse(HOST_IP);
  }

  /* --------------- Stopping --------------- */

  private Optional<Instant> stop(Pod pod, Sandbox sandbox, CachedResource<Pod> pods)
      throws InterruptedException {
    ObjectMeta metadata = pod.metadata();
    Instant now = clock.now();
    Time deletion = requireNonNullElse(metadata.deletionTimestamp(), Time.of(now));
    Long seconds = metadata.deletionGracePeriodSeconds();
    Duration grace = Duration.ofSeconds(seconds == null ? 0 : seconds);
    boolean killed = sandbox.life().stopDelay().compareTo(grace) > 0;
    Duration left = killed ? Duration.ZERO : grace.minus(sandbox.life().stopDelay());
    Instant end = deletion.instant().minus(left);
    if (now.isBefore(end)) {
      return Optional.of(end);
    }
    int exitCode = killed ? KILLED : exitCodeAtSigterm(sandbox.life());
    Pod ended = PodReadiness.hasEnded(pod) ? pod : terminate(pod, sandbox, exitCode, pods);
    if (!grace.isZero() || ended.metadata().finalizers().isEmpty()) {
      remove(ended, pods);
    }
    return Optional.empty();
  }

  /** A server that runs without end exits with 0; a program that has work to do is cut off. */
  private static int exitCodeAtSigterm(PodLife life) {
    return life.exitCode(0).isPresent() ? TERMINATED : 0;
  }

  private Pod terminate(Pod pod, Sandbox sandbox, int exitCode, CachedResource<Pod> pods)
      throws InterruptedException {
    Instant now = clock.now();
    ContainerState ended = PodTimeline.terminated(exitCode, startTime(pod).orElse(now), now);
    PodPhase phase = exitCode == 0 ? PodPhase.SUCCEEDED : PodPhase.FAILED;
    PodStatusWriter writer = new PodStatusWriter(pod, now);
    Moment moment = new Moment(phase, ended, null, false, writer.restarts(), null);
    return write(pod, writer.status(moment, sandbox.ip(), writer.hostIp(HOST_IP)), pods);
  }

  private static void remove(Pod pod, CachedResource<Pod> pods) throws InterruptedException {
    DeleteOptions now =
        DeleteOptions.builder()
            .gracePeriod(Duration.ZERO)
            .preconditions(Preconditions.ofUid(String.valueOf(pod.metadata().uid())))
            .build();
    try {
      pods.uncached().delete(String.valueOf(pod.metadata().name()), now);
    } catch (ApiStatusException e) {
      if (!ApiStatusException.isConflictOrNotFound(e)) {
        throw e;
      }
    }
  }

  private static Pod write(Pod pod, PodStatus status, CachedResource<Pod> pods)
      throws InterruptedException {
    return pods.inNamespace(String.valueOf(pod.metadata().namespace()))
        .updateStatus(pod.with(p -> p.status(status)));
  }
}
