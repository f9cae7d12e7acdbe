package dev.clientgo.remotecommand.logs;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.clock.Clock;
import dev.clientgo.kubernetes.core.v1.ContainerStatus;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodStatus;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The logs of all pods that a selector selects, as {@code kubectl logs --selector} and {@code
 * stern}.
 *
 * <pre>{@code
 * SelectorLogs logs = SelectorLogs.of(client, "shop", Selector.parse("app=web")).tail(10).follow();
 * try (SelectorLogLines lines = logs.lines()) {
 *   lines.forEach(System.out::println); // web-0 main: GET /
 * }
 * }</pre>
 *
 * <p>By default these are the logs of all containers, init and ephemeral ones too. The other
 * methods return a changed copy. Immutable. Safe for use by many threads, and for any number of
 * reads.
 */
public final class SelectorLogs {

  /** The most containers that are read at once by default, as in {@code stern}: {@value}. */
  public static final int DEFAULT_MAX_CONTAINERS = 50;

  private static final Logger LOG = System.getLogger(SelectorLogs.class.getName());

  private final RESTClient client;
  private final @Nullable String namespace;
  private final Selector selector;
  private final Options options;

  /** The options of logs; changed only before they belong to one. */
  private static final class Options {
    private Pattern containers = Pattern.compile("");
    private boolean initContainers = true;
    private boolean ephemeralContainers = true;
    private boolean follow;
    private int maxContainers = DEFAULT_MAX_CONTAINERS;
    private UnaryOperator<PodLogs> beginning = log -> log;
    private Consumer<? super KubernetesException> errors =
        e -> LOG.log(Level.WARNING, "Cannot read a log: error=" + e.getMessage());
    private Clock clock = Clock.system();

    Options copy() {
      Options copy = new Options();
      copy.containers = containers;
      copy.initContainers = initContainers;
      copy.ephemeralContainers = ephemeralContainers;
      copy.follow = follow;
      copy.maxContainers = maxContainers;
      copy.beginning = beginning;
      copy.errors = errors;
      copy.clock = clock;
      return copy;
    }
  }

  private SelectorLogs(
      RESTClient client, @Nullable String namespace, Selector selector, Options options) {
    this.client = requireNonNull(client, "client");
    this.namespace = namespace;
    this.selector = requireNonNull(selector, "selector");
    this.options = options;
  }

  /** Returns the logs of the pods of one namespace. */
  public static SelectorLogs of(RESTClient client, String namespace, Selector selector) {
    return new SelectorLogs(
        client, requireNonNull(namespace, "namespace"), selector, new Options());
  }

  /** Returns the logs of the pods of all namespaces. */
  public static SelectorLogs ofAllNamespaces(RESTClient client, Selector selector) {
    return new SelectorLogs(client, null, selector, new Options());
  }

  private SelectorLogs with(Consumer<Options> change) {
    Options changed = options.copy();
    change.accept(changed);
    return new SelectorLogs(client, namespace, selector, changed);
  }

  /** Chooses the containers whose name contains a match of a pattern. */
  public SelectorLogs containers(Pattern names) {
    requireNonNull(names, "names");
    return with(changed -> changed.containers = names);
  }

  /** Chooses the containers with one name. */
  public SelectorLogs inContainer(String name) {
    return containers(Pattern.compile("^" + Pattern.quote(name) + "$"));
  }

  /** Leaves out init containers. */
  public SelectorLogs withoutInitContainers() {
    return with(changed -> changed.initContainers = false);
  }

  /** Leaves out ephemeral containers. */
  public SelectorLogs withoutEphemeralContainers() {
    return with(changed -> changed.ephemeralContainers = false);
  }

  /**
   * Continues with what the containers write, also those of new pods, and those that start again.
   * The lines then end only when they are closed.
   */
  public SelectorLogs follow() {
    return with(changed -> changed.follow = true);
  }

  /**
   * Reads only the last lines of each container that has already started. Containers that start
   * later are read from their beginning.
   *
   * @throws IllegalArgumentException if the number is negative
   */
  public SelectorLogs tail(long lines) {
    return beginningWith(log -> log.tail(lines));
  }

  /**
   * Reads only what is not older; whole seconds count.
   *
   * @throws IllegalArgumentException if it is shorter than a second
   */
  public SelectorLogs since(Duration age) {
    return beginningWith(log -> log.since(age));
  }

  private SelectorLogs beginningWith(UnaryOperator<PodLogs> change) {
    requireNonNull(change.apply(PodLogs.of(client, "", ""))); // Checks the argument now.
    UnaryOperator<PodLogs> before = options.beginning;
    return with(changed -> changed.beginning = log -> change.apply(before.apply(log)));
  }

  /**
   * Limits how many containers are read at once; each needs a request, and before Java 21 a thread
   * of the operating system. If more are followed, {@link SelectorLogLines#next} throws. Without
   * {@link #follow} the others wait.
   *
   * @throws IllegalArgumentException if the number is not positive
   */
  public SelectorLogs maxContainers(int containers) {
    if (containers < 1) {
      throw new IllegalArgumentException("the number of containers is not positive: " + containers);
    }
    return with(changed -> changed.maxContainers = containers);
  }

  /**
   * Reports that the log of a container could not be read for a minute, or, without {@link
   * #follow}, that it is left out. The other logs continue, and a log that is followed is still
   * retried. By default the error is logged at level WARNING. Threads of this library call the
   * receiver.
   */
  public SelectorLogs onError(Consumer<? super KubernetesException> errors) {
    requireNonNull(errors, "errors");
    return with(changed -> changed.errors = errors);
  }

  SelectorLogs withClock(Clock clock) {
    return with(changed -> changed.clock = clock);
  }

  /**
   * Starts to read the logs. The caller closes the lines.
   *
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if the server does not list the
   *     pods
   * @throws dev.clientgo.apimachinery.errors.TransportException if it does not respond
   * @throws InterruptedException if the thread is interrupted
   */
  public SelectorLogLines lines() throws InterruptedException {
    SelectorLogLines lines = new SelectorLogLines(this);
    lines.start();
    return lines;
  }

  ResourceClient<Pod> pods() {
    ResourceClient<Pod> pods = client.resource(Pod.TYPE);
    return namespace == null ? pods : pods.inNamespace(namespace);
  }

  /** Returns the states of the containers of a pod that are wanted. */
  List<ContainerStatus> containersOf(Pod pod) {
    PodStatus status = pod.status();
    List<ContainerStatus> all = new ArrayList<>();
    if (status != null) {
      add(status.initContainerStatuses(), options.initContainers, all);
      add(status.containerStatuses(), true, all);
      add(status.ephemeralContainerStatuses(), options.ephemeralContainers, all);
    }
    return all;
  }

  private void add(
      @Nullable List<ContainerStatus> statuses, boolean wanted, List<ContainerStatus> all) {
    if (statuses != null && wanted) {
      for (ContainerStatus status : statuses) {
        if (status.name() != null && options.containers.matcher(status.name()).find()) {
          all.add(status);
        }
      }
    }
  }

  /** Returns the whole log of a container. */
  PodLogs log(String ofNamespace, String pod, String container) {
    return PodLogs.of(client, ofNamespace, pod).withClock(options.clock).inContainer(container);
  }

  /** Returns the part of a log that is wanted if its container has started before. */
  PodLogs beginning(PodLogs log) {
    return options.beginning.apply(log);
  }

  Selector selector() {
    return selector;
  }

  boolean follows() {
    return options.follow;
  }

  int limit() {
    return options.maxContainers;
  }

  Clock clock() {
    return options.clock;
  }

  void report(KubernetesException e) {
    options.errors.accept(e);
  }

  /** Returns the namespace and the selector. */
  @Override
  public String toString() {
    return "logs of " + (namespace == null ? "all namespaces" : namespace) + " " + selector;
  }
}
