package dev.clientgo.kubectl;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.fields.FieldSelector;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.kubectl.PodResult.Action;
import dev.clientgo.rest.RESTClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
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
 * <p>Evictions are sent some at once. They respect PodDisruptionBudgets: while a budget refuses
 * one, it is tried again every five seconds. If the daemon set of a pod cannot be read, that pod
 * may not be removed. Mirror pods stay. If the node has pods that may not be removed without the
 * consent of the caller, {@link #drain} removes none at all: pods of daemon sets ({@link
 * #ignoreDaemonSets} leaves them), pods with data in an emptyDir ({@link #deleteEmptyDirData}) and
 * pods that no controller would start again ({@link #force}). Pods that have ended may always be
 * removed.
 *
 * <p>Immutable, safe for use by many threads. A call sends evictions from up to 16 threads; when it
 * returns, they have ended or are interrupted. Corresponds to {@code k8s.io/kubectl/pkg/drain}.
 */
public final class Drain {

  private static final GroupVersionResource NODES = new GroupVersionResource("", "v1", "nodes");
  private static final GroupVersionResource PODS = new GroupVersionResource("", "v1", "pods");

  private final RESTClient client;
  private final PodFilter filter;
  private final Settings settings;

  /** How pods are removed; changed only before it belongs to a drain. */
  static final class Settings {
    @Nullable Duration gracePeriod;
    @Nullable Duration timeout;
    @Nullable String podSelector;
    boolean disableEviction;
    Duration betweenEvictions = Duration.ofSeconds(5);

    Settings copy() {
      Settings copy = new Settings();
      copy.gracePeriod = gracePeriod;
      copy.timeout = timeout;
      copy.podSelector = podSelector;
      copy.disableEviction = disableEviction;
      copy.betweenEvictions = betweenEvictions;
      return copy;
    }
  }

  private Drain(RESTClient client, PodFilter filter, Settings settings) {
    this.client = client;
    this.filter = filter;
    this.settings = settings;
  }

  /** Returns what drains nodes with a client. */
  public static Drain with(RESTClient client) {
    return new Drain(requireNonNull(client, "client"), PodFilter.STRICT, new Settings());
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
    requireNonNull(gracePeriod, "gracePeriod");
    return with(changed -> changed.gracePeriod = gracePeriod);
  }

  /** Sets after what time a drain gives up; it never does if it is not set. */
  public Drain timeout(Duration timeout) {
    requireNonNull(timeout, "timeout");
    return with(changed -> changed.timeout = timeout);
  }

  /** Removes only the pods that a label selector selects. */
  public Drain podSelector(String selector) {
    requireNonNull(selector, "selector");
    return with(changed -> changed.podSelector = selector);
  }

  /** Deletes pods instead of evicting them, without regard to PodDisruptionBudgets. */
  public Drain disableEviction() {
    return with(changed -> changed.disableEviction = true);
  }

  Drain betweenEvictions(Duration pause) {
    return with(changed -> changed.betweenEvictions = pause);
  }

  private Drain with(Consumer<Settings> change) {
    Settings changed = settings.copy();
    change.accept(changed);
    return new Drain(client, filter, changed);
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
   * @return what became of each pod, in the order in which the server lists them; if one has {@link
   *     Action#FAILED}, the node is not empty
   * @throws ApiStatusException if there is no such node
   */
  public List<PodResult> drain(String node) throws InterruptedException {
    cordon(node);
    List<Unstructured> pods = podsOn(node);
    Map<Unstructured, PodResult> results = new HashMap<>();
    List<Unstructured> removable = new ArrayList<>();
    boolean refused = false;
    for (Unstructured pod : pods) {
      PodFilter.Verdict verdict = filter.judge(pod, this::exists);
      switch (verdict.action()) {
        case REMOVE -> removable.add(pod);
        case SKIP -> results.put(pod, PodRemoval.result(pod, Action.SKIPPED, verdict.reason()));
        case REFUSE -> {
          refused = true;
          results.put(pod, PodRemoval.result(pod, Action.FAILED, verdict.reason()));
        }
      }
    }
    if (refused) {
      String reason = "not removed, since other pods may not be";
      removable.forEach(pod -> results.put(pod, PodRemoval.result(pod, Action.FAILED, reason)));
    } else {
      results.putAll(new PodRemoval(client, settings).run(removable));
    }
    return pods.stream().map(results::get).map(Objects::requireNonNull).toList();
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
}
