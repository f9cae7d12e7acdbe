package dev.clientgo.kubectl;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.fields.FieldSelector;
import dev.clientgo.apimachinery.meta.options.CreateOptions;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.Clock;
import dev.clientgo.kubectl.PodResult.Action;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Empties nodes: keeps new pods away, and evicts those that are there.
 *
 * <pre>{@code
 * List<PodResult> pods =
 *     Drain.with(client).ignoreDaemonSets().timeout(Duration.ofMinutes(10)).drain("node-1");
 * Drain.with(client).uncordon("node-1");
 * }</pre>
 *
 * <p>Evictions respect PodDisruptionBudgets: while a budget refuses one, it is tried again every
 * five seconds. Mirror pods stay. If the node has pods that may not be removed without the consent
 * of the caller, {@link #drain} removes none at all: pods of daemon sets ({@link #ignoreDaemonSets}
 * leaves them), pods with data in an emptyDir ({@link #deleteEmptyDirData}) and pods that no
 * controller would start again ({@link #force}). Pods that have ended may always be removed.
 *
 * <p>Immutable, safe for use by many threads; each call works in the thread of its caller.
 * Corresponds to {@code k8s.io/kubectl/pkg/drain}.
 */
public final class Drain {

  private static final GroupVersionResource NODES = new GroupVersionResource("", "v1", "nodes");
  private static final GroupVersionResource PODS = new GroupVersionResource("", "v1", "pods");
  private static final Duration BETWEEN_EVICTIONS = Duration.ofSeconds(5);

  private final RESTClient client;
  private final PodFilter filter;
  private final Settings settings;

  /** How pods are removed. */
  private record Settings(
      @Nullable Duration gracePeriod,
      @Nullable Duration timeout,
      @Nullable String podSelector,
      boolean disableEviction,
      Duration betweenEvictions) {}

  private Drain(RESTClient client, PodFilter filter, Settings settings) {
    this.client = client;
    this.filter = filter;
    this.settings = settings;
  }

  /** Returns what drains nodes with a client. */
  public static Drain with(RESTClient client) {
    return new Drain(
        requireNonNull(client, "client"),
        PodFilter.STRICT,
        new Settings(null, null, null, false, BETWEEN_EVICTIONS));
  }

  /** Leaves the pods of daemon sets on the node, instead of refusing to drain it. */
  public Drain ignoreDaemonSets() {
    return new Drain(client, filter.ignoringDaemonSets(), settings);
  }

  /** Removes pods with an emptyDir, too, whose data is lost. */
  public Drain deleteEmptyDirData() {
    return new Drain(client, filter.deletingEmptyDirData(), settings);
  }

  /** Removes pods without a controller, too, although no controller starts them again. */
  public Drain force() {
    return new Drain(client, filter.forced(), settings);
  }

  /** Sets how long a pod has to end; each pod's own grace period if it is not set. */
  public Drain gracePeriod(Duration gracePeriod) {
    return with(
        new Settings(
            requireNonNull(gracePeriod, "gracePeriod"),
            settings.timeout,
            settings.podSelector,
            settings.disableEviction,
            settings.betweenEvictions));
  }

  /** Sets after what time a drain gives up; it never does if it is not set. */
  public Drain timeout(Duration timeout) {
    return with(
        new Settings(
            settings.gracePeriod,
            requireNonNull(timeout, "timeout"),
            settings.podSelector,
            settings.disableEviction,
            settings.betweenEvictions));
  }

  /** Removes only the pods that a label selector selects. */
  public Drain podSelector(String selector) {
    return with(
        new Settings(
            settings.gracePeriod,
            settings.timeout,
            requireNonNull(selector, "selector"),
            settings.disableEviction,
            settings.betweenEvictions));
  }

  /** Deletes pods instead of evicting them, without regard to PodDisruptionBudgets. */
  public Drain disableEviction() {
    return with(
        new Settings(
            settings.gracePeriod,
            settings.timeout,
            settings.podSelector,
            true,
            settings.betweenEvictions));
  }

  Drain betweenEvictions(Duration pause) {
    return with(
        new Settings(
            settings.gracePeriod,
            settings.timeout,
            settings.podSelector,
            settings.disableEviction,
            pause));
  }

  private Drain with(Settings settings) {
    return new Drain(client, filter, settings);
  }

  /** Marks a node as unschedulable, and returns it. */
  public Unstructured cordon(String node) throws InterruptedException {
    return mark(node, true);
  }

  /** Marks a node as schedulable again, and returns it. */
  public Unstructured uncordon(String node) throws InterruptedException {
    return mark(node, null);
  }

  private Unstructured mark(String node, @Nullable Boolean unschedulable)
      throws InterruptedException {
    Map<String, ?> spec = Collections.singletonMap("unschedulable", unschedulable);
    return client.dynamic(NODES).patch(node, Patch.merge(Map.of("spec", spec)));
  }

  /**
   * Cordons a node, removes its pods, and waits until they are gone.
   *
   * @return what became of each pod; if one has {@link Action#FAILED}, the node is not empty
   * @throws ApiStatusException if there is no such node
   */
  public List<PodResult> drain(String node) throws InterruptedException {
    cordon(node);
    List<PodResult> results = new ArrayList<>();
    List<Unstructured> removable = new ArrayList<>();
    for (Unstructured pod : podsOn(node)) {
      PodFilter.Verdict verdict = filter.judge(pod, this::exists);
      switch (verdict.action()) {
        case REMOVE -> removable.add(pod);
        case SKIP -> results.add(result(pod, Action.SKIPPED, verdict.reason()));
        case REFUSE -> results.add(result(pod, Action.FAILED, verdict.reason()));
      }
    }
    if (results.stream().anyMatch(result -> result.action() == Action.FAILED)) {
      for (Unstructured pod : removable) {
        results.add(result(pod, Action.FAILED, "not removed, since other pods may not be"));
      }
    } else {
      new Removal(results).run(removable);
    }
    return List.copyOf(results);
  }

  private List<Unstructured> podsOn(String node) throws InterruptedException {
    return client
        .dynamic(PODS)
        .list(
            ListOptions.builder()
                .fieldSelector(FieldSelector.equal("spec.nodeName", node).toString())
                .labelSelector(settings.podSelector)
                .build())
        .items();
  }

  private boolean exists(GroupVersionResource resource, String namespace, String name)
      throws InterruptedException {
    return Apply.find(client.dynamic(resource).inNamespace(namespace), name) != null;
  }

  private static PodResult result(Unstructured pod, Action action, String reason) {
    return new PodResult(namespace(pod), name(pod), action, reason);
  }

  private static String namespace(Unstructured pod) {
    return String.valueOf(pod.metadata().namespace());
  }

  private static String name(Unstructured pod) {
    return String.valueOf(pod.metadata().name());
  }

  /** The removal of the pods of one node. */
  private final class Removal {

    private final Clock clock = Clock.system();
    private final long start = clock.nanoTime();
    private final List<PodResult> results;

    Removal(List<PodResult> results) {
      this.results = results;
    }

    void run(List<Unstructured> pods) throws InterruptedException {
      List<Unstructured> waiting = new ArrayList<>(pods);
      List<Unstructured> leaving = new ArrayList<>();
      while (true) {
        String refusal = removeAll(waiting, leaving);
        if (waiting.isEmpty()) {
          break;
        } else if (left().compareTo(settings.betweenEvictions) < 0) {
          waiting.forEach(pod -> results.add(result(pod, Action.FAILED, late() + refusal)));
          break;
        }
        clock.sleep(settings.betweenEvictions);
      }
      for (Unstructured pod : leaving) {
        awaitGone(pod);
      }
    }

    /** Tries each pod once; those that a budget keeps stay in the list. */
    private String removeAll(List<Unstructured> waiting, List<Unstructured> leaving)
        throws InterruptedException {
      String refusal = "";
      for (Iterator<Unstructured> pods = waiting.iterator(); pods.hasNext(); ) {
        Unstructured pod = pods.next();
        try {
          remove(pod);
          leaving.add(pod);
          pods.remove();
        } catch (ApiStatusException e) {
          if (e.isTooManyRequests()) {
            refusal = String.valueOf(e.getMessage());
            continue;
          }
          pods.remove();
          boolean gone = e.isNotFound();
          results.add(
              gone
                  ? result(pod, removed(), "")
                  : result(pod, Action.FAILED, String.valueOf(e.getMessage())));
        } catch (KubernetesException e) {
          pods.remove();
          results.add(result(pod, Action.FAILED, String.valueOf(e.getMessage())));
        }
      }
      return refusal;
    }

    private void remove(Unstructured pod) throws InterruptedException {
      ResourceClient<Unstructured> pods = client.dynamic(PODS).inNamespace(namespace(pod));
      DeleteOptions options = DeleteOptions.builder().gracePeriod(settings.gracePeriod).build();
      if (settings.disableEviction) {
        pods.delete(name(pod), options);
        return;
      }
      Unstructured eviction =
          Unstructured.of(
                  Map.of(
                      "apiVersion",
                      "policy/v1",
                      "kind",
                      "Eviction",
                      "metadata",
                      Map.of("namespace", namespace(pod), "name", name(pod))))
              .withNested(DeleteOptions.CODEC, options, "deleteOptions");
      pods.subresource("eviction", Unstructured.CODEC)
          .submit(name(pod), eviction, CreateOptions.NONE);
    }

    private void awaitGone(Unstructured pod) throws InterruptedException {
      String uid = String.valueOf(pod.metadata().uid());
      try {
        client
            .dynamic(PODS)
            .inNamespace(namespace(pod))
            .await(
                name(pod), now -> now.isEmpty() || !uid.equals(now.get().metadata().uid()), left());
        results.add(result(pod, removed(), ""));
      } catch (TimeoutException e) {
        results.add(result(pod, Action.FAILED, late() + "it has not ended"));
      } catch (KubernetesException e) {
        results.add(result(pod, Action.FAILED, String.valueOf(e.getMessage())));
      }
    }

    private Action removed() {
      return settings.disableEviction ? Action.DELETED : Action.EVICTED;
    }

    private String late() {
      Duration timeout = settings.timeout;
      return timeout == null ? "" : "after " + timeout.toSeconds() + " s: ";
    }

    /** Returns the time that is left; about a century if there is no bound. */
    private Duration left() {
      Duration timeout = settings.timeout;
      if (timeout == null) {
        return Duration.ofDays(36_500);
      }
      Duration left = timeout.minusNanos(clock.nanoTime() - start);
      return left.compareTo(Duration.ofMillis(1)) < 0 ? Duration.ofMillis(1) : left;
    }
  }
}
