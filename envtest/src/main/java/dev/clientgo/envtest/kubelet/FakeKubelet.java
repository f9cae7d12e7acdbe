package dev.clientgo.envtest.kubelet;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Plays the containers of pods: the programs that {@code exec} and {@code attach} run, logs, and
 * ports.
 *
 * <pre>{@code
 * FakeKubelet kubelet = server.kubelet();
 * kubelet.runPod("default", "web-0", "app");
 * kubelet.container("app", io -> {
 *   io.print("hello\n");
 *   return 0;
 * });
 * }</pre>
 *
 * <p>The pod must exist, have a node and run; otherwise clients get the error of a real cluster. A
 * {@code *} stands for all namespaces, pods or containers. Of several programs that match, the last
 * one counts. Safe for use by many threads.
 */
public final class FakeKubelet {

  /** Stands for all namespaces, pods or containers. */
  public static final String ANY = "*";

  /** The subprotocols of commands, the best first. */
  private static final List<String> PROTOCOLS = List.of("v5.channel.k8s.io", "v4.channel.k8s.io");

  private final Clock clock;
  private final Consumer<Unstructured> pods;
  private final List<Rule<ContainerProgram>> containers = new CopyOnWriteArrayList<>();
  private final List<Rule<PortProgram>> ports = new CopyOnWriteArrayList<>();
  private final Map<Place, ContainerLog> logs = new ConcurrentHashMap<>();
  private volatile List<String> protocols = PROTOCOLS;

  private record Place(String namespace, String pod, String part) {

    boolean covers(Place other) {
      return covers(namespace, other.namespace)
          && covers(pod, other.pod)
          && covers(part, other.part);
    }

    private static boolean covers(String pattern, String name) {
      return pattern.equals(ANY) || pattern.equals(name);
    }
  }

  private record Rule<T>(Place place, T value) {}

  private FakeKubelet(Clock clock, Consumer<Unstructured> pods) {
    this.clock = requireNonNull(clock, "clock");
    this.pods = requireNonNull(pods, "pods");
  }

  /**
   * Creates a kubelet. The embedded server has its own.
   *
   * @param clock the time of log lines and of started containers
   * @param pods stores a pod with its status
   */
  public static FakeKubelet create(Clock clock, Consumer<Unstructured> pods) {
    return new FakeKubelet(clock, pods);
  }

  /* --------------- Pods --------------- */

  /**
   * Stores a pod that runs on the node {@code node-1}.
   *
   * @param containers the names of its containers; without any, the one container has the name of
   *     the pod
   */
  public void runPod(String namespace, String name, String... containers) {
    runPod(RunningPod.of(namespace, name, List.of(containers)));
  }

  /** Stores a pod whose status says that all of its containers run. */
  public void runPod(Unstructured pod) {
    pods.accept(RunningPod.started(pod, clock.now()));
  }

  /* --------------- Commands --------------- */

  /** Sets the program of the containers of that name, in all pods. */
  public void container(String container, ContainerProgram program) {
    container(ANY, ANY, container, program);
  }

  /** Sets the program of a container. */
  public void container(String namespace, String pod, String container, ContainerProgram program) {
    add(containers, new Place(namespace, pod, container), program);
  }

  /** Returns the program of a container. */
  public Optional<ContainerProgram> program(String namespace, String pod, String container) {
    return find(containers, new Place(namespace, pod, container));
  }

  /**
   * Sets the subprotocols that {@code exec} and {@code attach} speak. By default these are {@code
   * v5.channel.k8s.io} and {@code v4.channel.k8s.io}; the second alone makes an old server.
   *
   * @throws IllegalArgumentException if one is neither of them
   */
  public void protocols(String... spoken) {
    List<String> changed = List.of(spoken);
    if (changed.isEmpty() || !PROTOCOLS.containsAll(changed)) {
      throw new IllegalArgumentException("not some of " + PROTOCOLS + ": " + changed);
    }
    protocols = changed;
  }

  /** Returns the subprotocols that {@code exec} and {@code attach} speak. */
  public List<String> protocols() {
    return protocols;
  }

  /* --------------- Logs --------------- */

  /** Returns the log of a container, which is empty at first. */
  public ContainerLog log(String namespace, String pod, String container) {
    return logs.computeIfAbsent(
        new Place(namespace, pod, container), place -> new ContainerLog(clock));
  }

  /* --------------- Ports --------------- */

  /** Sets the program behind a port of all pods. */
  public void port(int port, PortProgram program) {
    port(ANY, ANY, port, program);
  }

  /** Sets the program behind a port of a pod. */
  public void port(String namespace, String pod, int port, PortProgram program) {
    if (port < 1 || port > 65535) {
      throw new IllegalArgumentException("not a port from 1 to 65535: " + port);
    }
    add(ports, new Place(namespace, pod, Integer.toString(port)), program);
  }

  /** Returns the program behind a port of a pod. */
  public Optional<PortProgram> portProgram(String namespace, String pod, int port) {
    return find(ports, new Place(namespace, pod, Integer.toString(port)));
  }

  /** Forgets all programs and logs. */
  public void clear() {
    containers.clear();
    ports.clear();
    logs.clear();
    protocols = PROTOCOLS;
  }

  private static <T> void add(List<Rule<T>> rules, Place place, T value) {
    rules.add(0, new Rule<>(place, requireNonNull(value, "program")));
  }

  private static <T> Optional<T> find(List<Rule<T>> rules, Place place) {
    return rules.stream().filter(rule -> rule.place.covers(place)).map(Rule::value).findFirst();
  }
}
