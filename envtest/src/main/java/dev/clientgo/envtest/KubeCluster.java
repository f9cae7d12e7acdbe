package dev.clientgo.envtest;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Deadline;
import dev.clientgo.envtest.internal.access.ReservedPort;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.process.ServerBinaries;
import dev.clientgo.envtest.internal.process.ServerProcess;
import dev.clientgo.rest.RESTClient;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A whole cluster as processes on the loopback interface: etcd, kube-apiserver,
 * kube-controller-manager, kube-scheduler, and kubelets that run containers as processes of this
 * machine. Deployments get pods, pods run, owners' dependents are collected, namespaces end, and
 * {@code kubectl exec}, {@code logs}, {@code attach}, {@code cp} and {@code port-forward} work.
 *
 * <pre>{@code
 * try (KubeCluster cluster = KubeCluster.start();
 *     RESTClient client = RESTClient.create(cluster.restConfig())) {
 *   …
 * }
 * }</pre>
 *
 * <p>The kubelet is upstream's own; only its container runtime differs. A container's command runs
 * as a process of the user who runs the test: images are not pulled, and the process sees the
 * network, the files and the users of this machine. A container without a command pauses until it
 * is stopped, so that a pod of {@code nginx} becomes ready; {@link Builder#image} names a program
 * for it. {@code docs/testing.md} lists what differs from a cluster on real nodes.
 *
 * <p>The binaries come from the folder that {@code KUBEBUILDER_ASSETS} names, or else from the
 * cache that the script {@code envtest/kube-apiserver/build} fills. The kubelet runs on Linux only.
 * No process outlives the cluster, even if the JVM is killed; only then the temporary folder stays.
 * Safe for use by many threads.
 */
public final class KubeCluster implements ApiServer {

  /** A part of a cluster that can be left out. */
  public enum Component {
    /** Runs the controllers: without it, objects such as deployments do nothing. */
    CONTROLLER_MANAGER("kube-controller-manager"),
    /** Assigns pods to nodes. */
    SCHEDULER("kube-scheduler"),
    /** Runs pods; without it, the cluster has no nodes. */
    KUBELET("process-kubelet");

    private final String binary;

    Component(String binary) {
      this.binary = binary;
    }
  }

  private static final Duration START_TIMEOUT = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(50);

  private final KubeApiServer server;
  private final Clock clock;
  private final boolean withControllers;
  private final List<Node> nodes;

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final List<ServerProcess> parts = new ArrayList<>();

  /** A node, whose kubelet serves at a separate port. */
  private record Node(String name, ReservedPort port) {}

  private KubeCluster(KubeApiServer server, Builder settings) {
    this.server = server;
    clock = settings.clock;
    withControllers = settings.components.contains(Component.CONTROLLER_MANAGER);
    int count = settings.components.contains(Component.KUBELET) ? settings.nodes : 0;
    List<Node> all = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      all.add(new Node("node-" + i, ReservedPort.of(0)));
    }
    nodes = List.copyOf(all);
  }

  /** Returns whether the binaries of all components are installed. */
  public static boolean isAvailable() {
    List<String> others = new ArrayList<>();
    for (Component each : Component.values()) {
      others.add(each.binary);
    }
    return ServerBinaries.present(others);
  }

  /**
   * Starts a cluster with one node and waits until that is ready and pods can be created, which
   * takes some seconds.
   *
   * @throws ConfigException if binaries are missing
   * @throws IllegalStateException if a component does not become ready
   * @throws InterruptedException if the thread is interrupted
   */
  public static KubeCluster start() throws InterruptedException {
    return builder().start();
  }

  /** Returns a builder of a cluster with other settings. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public URI url() {
    return server.url();
  }

  @Override
  public String kubeconfig() {
    return server.kubeconfig();
  }

  @Override
  public String kubeconfig(String user, List<String> groups) {
    return server.kubeconfig(user, groups);
  }

  /** Returns the names of the nodes: {@code node-1} and so on. */
  public List<String> nodes() {
    return nodes.stream().map(Node::name).toList();
  }

  /**
   * Returns the folder of the logs, one for each process: {@code etcd.log}, {@code
   * kube-apiserver.log}, {@code kube-controller-manager.log}, {@code kube-scheduler.log}, {@code
   * node-1.log} and so on. {@link #close} deletes it.
   */
  public Path logs() {
    return server.folder();
  }

  /**
   * Kills the kube-apiserver and starts it again, as {@link KubeApiServer#restart} does. The other
   * components and the containers keep running and connect again.
   *
   * @throws IllegalStateException if the cluster is closed or the server does not become ready
   * @throws InterruptedException if the thread is interrupted
   */
  public void restartApiServer() throws InterruptedException {
    server.restart();
  }

  /**
   * Deletes what tests have made, as {@link ApiServer#reset} says; the nodes stay. Returns when
   * pods can be created again. An object that a controller makes meanwhile is deleted soon after.
   */
  @Override
  public void reset() throws InterruptedException {
    try (RESTClient client = Cleanup.client(restConfig())) {
      new Cleanup(client, Set.of("nodes", "csinodes")).reset();
    }
    lock.lockInterruptibly();
    try {
      awaitReadyLocked();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      // The kubelets first, which started last: they end the containers.
      for (int i = parts.size() - 1; i >= 0; i--) {
        parts.get(i).kill();
      }
      parts.clear();
      nodes.forEach(node -> node.port().close());
      server.close();
    } finally {
      lock.unlock();
    }
  }

  private void startParts(Builder settings) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      for (Component each : settings.components) {
        if (each == Component.KUBELET) {
          for (Node node : nodes) {
            node.port().release();
            startLocked(settings, each, node.name(), kubeletFlags(settings, node));
          }
        } else {
          startLocked(settings, each, each.binary, flags(each));
        }
      }
      awaitReadyLocked();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void startLocked(Builder settings, Component component, String name, List<String> flags) {
    List<String> command = new ArrayList<>();
    command.add(server.binaries().folder().resolve(component.binary).toString());
    command.addAll(flags);
    settings.flags.stream()
        .filter(flag -> flag.component() == component)
        .forEach(flag -> command.add(flag.text()));
    parts.add(server.startPart(name, command));
  }

  private List<String> flags(Component component) {
    List<String> flags = new ArrayList<>();
    flags.add(
        "--kubeconfig="
            + kubeconfigFile(component.binary, "system:" + component.binary, List.of()));
    flags.add("--leader-elect=false");
    flags.add("--secure-port=0");
    // The defaults are for a cluster whose API server has other work.
    flags.add("--kube-api-qps=1000");
    flags.add("--kube-api-burst=1000");
    if (component == Component.CONTROLLER_MANAGER) {
      flags.add("--use-service-account-credentials=true");
      flags.add("--service-account-private-key-file=" + file("service-account.key"));
      flags.add("--root-ca-file=" + file("ca.crt"));
      flags.add("--cluster-signing-cert-file=" + file("ca.crt"));
      flags.add("--cluster-signing-key-file=" + file("ca.key"));
    }
    return flags;
  }

  private List<String> kubeletFlags(Builder settings, Node node) {
    List<String> flags = new ArrayList<>();
    flags.add(
        "--kubeconfig="
            + kubeconfigFile(node.name(), "process-kubelet", List.of("system:masters")));
    flags.add("--node=" + node.name());
    flags.add("--folder=" + file(node.name()));
    flags.add("--port=" + node.port().number());
    flags.add("--tls-cert-file=" + file("kubelet.crt"));
    flags.add("--tls-private-key-file=" + file("kubelet.key"));
    flags.add("--client-ca-file=" + file("ca.crt"));
    flags.add("--websockets=" + settings.webSockets);
    flags.add("--longest-restart-delay=" + settings.longestRestartDelay.toMillis() + "ms");
    settings.images.forEach(
        (image, command) -> flags.add("--image=" + image + "=" + JsonText.text(command)));
    settings.missingImages.forEach(image -> flags.add("--missing-image=" + image));
    return flags;
  }

  private Path file(String name) {
    return server.folder().resolve(name);
  }

  /** Writes a file for one process: another write could empty it just when the process reads it. */
  private Path kubeconfigFile(String process, String user, List<String> groups) {
    String name = process + ".kubeconfig";
    server.write(name, server.kubeconfig(user, groups));
    return file(name);
  }

  /** Waits for the nodes and for the account that each pod of the default namespace gets. */
  @GuardedBy("lock")
  private void awaitReadyLocked() throws InterruptedException {
    try (RESTClient client = RESTClient.create(server.restConfig())) {
      ClusterReadiness readiness = new ClusterReadiness(client, withControllers);
      Deadline deadline = clock.deadline(START_TIMEOUT);
      for (; ; ) {
        @Nullable String missing = readiness.missing(nodes());
        for (ServerProcess part : parts) {
          if (!part.isAlive()) {
            throw part.failure("did not stay up");
          }
        }
        if (missing == null) {
          return;
        }
        if (!deadline.sleep(POLL)) {
          throw parts
              .get(parts.size() - 1)
              .failure(
                  "is up, but after " + START_TIMEOUT.toSeconds() + " s there is no " + missing);
        }
      }
    }
  }

  /** A flag of a component. */
  private record Flag(Component component, String text) {}

  /** Builds and starts a {@link KubeCluster}. Not safe for use by many threads. */
  public static final class Builder {
    private static final Duration SHORTEST_DELAY = Duration.ofSeconds(1);
    private static final Duration LONGEST_DELAY = Duration.ofMinutes(5);

    private final KubeApiServer.Builder server = KubeApiServer.builder().guarded();
    private final Set<Component> components = EnumSet.allOf(Component.class);
    private final List<Flag> flags = new ArrayList<>();
    private final Map<String, List<String>> images = new TreeMap<>();
    private final List<String> missingImages = new ArrayList<>();
    private Clock clock = Clock.system();
    private Duration longestRestartDelay = LONGEST_DELAY;
    private boolean webSockets = true;
    private int nodes = 1;

    private Builder() {}

    /** Sets the folder of the binaries. */
    public Builder assets(Path folder) {
      server.assets(folder);
      return this;
    }

    /** Sets the clock that the start-up waits by. */
    public Builder clock(Clock clock) {
      this.clock = requireNonNull(clock, "clock");
      server.clock(clock);
      return this;
    }

    /** Leaves components out. */
    public Builder without(Component... others) {
      Arrays.asList(others).forEach(components::remove);
      return this;
    }

    /** Sets the number of nodes, 1 by default. Each has its own kubelet, of about 65 MB. */
    public Builder nodes(int count) {
      if (count < 1) {
        throw new IllegalArgumentException(
            "a cluster has at least one node, not " + count + "; use without(KUBELET) for none");
      }
      nodes = count;
      return this;
    }

    /** Adds a flag of kube-apiserver, such as {@code --max-requests-inflight=0}. */
    public Builder apiServerFlag(String flag) {
      server.flag(flag);
      return this;
    }

    /** Adds a flag of a component, such as {@code --concurrent-gc-syncs=1}. */
    public Builder flag(Component component, String flag) {
      flags.add(new Flag(requireNonNull(component, "component"), requireNonNull(flag, "flag")));
      return this;
    }

    /**
     * Names the program that containers of an image run when their pod names no command. Arguments
     * of the pod are added.
     *
     * @param name the image with or without tag: {@code nginx} stands for {@code nginx:1.27} and
     *     {@code docker.io/library/nginx}, too
     * @param command the program, a path or a name that the {@code PATH} finds, and its arguments
     */
    public Builder image(String name, String... command) {
      if (command.length == 0) {
        throw new IllegalArgumentException("the image " + name + " needs a command");
      }
      images.put(requireNonNull(name, "name"), List.of(command));
      return this;
    }

    /**
     * Makes the pull of an image fail, so that its pods wait with {@code ErrImagePull} and {@code
     * ImagePullBackOff}.
     */
    public Builder missingImage(String name) {
      missingImages.add(requireNonNull(name, "name"));
      return this;
    }

    /**
     * Sets the longest time before a container that keeps failing is restarted: from 1 s to 5 min,
     * which is the default. The first restart is at once; the kubelet then waits 10 s, or this if
     * it is shorter, and twice as long each time.
     */
    public Builder longestRestartDelay(Duration delay) {
      if (delay.compareTo(SHORTEST_DELAY) < 0 || delay.compareTo(LONGEST_DELAY) > 0) {
        throw new IllegalArgumentException("expected 1 s to 5 min, got " + delay);
      }
      longestRestartDelay = delay;
      return this;
    }

    /**
     * Sets whether the API server passes WebSockets of exec, attach and port-forward on to the
     * kubelet, as since Kubernetes 1.36, or translates them to SPDY itself, as before. By default
     * it passes them on.
     */
    public Builder webSockets(boolean passedOn) {
      webSockets = passedOn;
      return this;
    }

    /**
     * Starts the cluster and waits until its nodes are ready and pods can be created, which takes
     * some seconds.
     *
     * @throws ConfigException if binaries are missing
     * @throws IllegalStateException if a component does not become ready
     * @throws InterruptedException if the thread is interrupted
     */
    public KubeCluster start() throws InterruptedException {
      if (!components.contains(Component.CONTROLLER_MANAGER)) {
        // Nothing would make the accounts of pods, nor remove the first taints of nodes.
        server.disabledAdmission(List.of("ServiceAccount", "TaintNodesByCondition"));
      } else {
        server.disabledAdmission(List.of());
      }
      server.require(components.stream().map(each -> each.binary).toList());
      KubeCluster cluster = new KubeCluster(server.start(), this);
      boolean started = false;
      try {
        cluster.startParts(this);
        started = true;
        return cluster;
      } finally {
        if (!started) {
          cluster.close();
        }
      }
    }
  }
}
