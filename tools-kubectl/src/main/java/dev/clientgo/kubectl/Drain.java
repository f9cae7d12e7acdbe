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

  /** Sets what the caller has chosen, in that order. */
  private final Consumer<PodRemoval.Settings> settings;

  private Drain(RESTClient client, Consumer<PodRemoval.Settings> settings) {
    this.client = client;
    this.settings = settings;
  }

  /** Returns what drains nodes with a client. */
  public static Drain with(RESTClient client) {
    return new Drain(requireNonNull(client, "client"), settings -> {});
  }

  /** Leaves the pods of daemon sets on the node, instead of refusing to drain it. */
  public Drain ignoreDaemonSets() {
    return with(settings -> settings.ignoreDaemonSets = true);
  }

  /** Removes pods with an emptyDir, too, whose data is lost. */
  public Drain deleteEmptyDirData() {
    return with(settings -> settings.deleteEmptyDirData = true);
  }

  /** Removes pods without a controller, too, although no controller starts them again. */
  public Drain force() {
    return with(settings -> settings.force = true);
  }

  /** Sets how long a pod has to end; each pod's own grace period if it is not set. */
  public Drain gracePeriod(Duration gracePeriod) {
    requireNonNull(gracePeriod, "gracePeriod");
    return with(settings -> settings.gracePeriod = gracePeriod);
  }

  /** Sets after what time a drain gives up; it never does if it is not set. */
  public Drain timeout(Duration timeout) {
    requireNonNull(timeout, "timeout");
    return with(settings -> settings.timeout = timeout);
  }

  /** Removes only the pods that a label selector selects. */
  public Drain podSelector(String selector) {
    requireNonNull(selector, "selector");
    return with(settings -> settings.podSelector = selector);
  }

  /** Deletes pods instead of evicting them, without regard to PodDisruptionBudgets. */
  public Drain disableEviction() {
    return with(settings -> settings.disableEviction = true);
  }

  Drain betweenEvictions(Duration pause) {
    return with(settings -> settings.betweenEvictions = pause);
  }

  private Drain with(Consumer<PodRemoval.Settings> setting) {
    return new Drain(client, settings.andThen(setting));
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
    PodRemoval.Settings chosen = new PodRemoval.Settings();
    settings.accept(chosen);
    PodFilter filter =
        new PodFilter(chosen.ignoreDaemonSets, chosen.deleteEmptyDirData, chosen.force);
    cordon(node);
    List<Unstructured> pods = podsOn(node, chosen.podSelector);
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
      results.putAll(new PodRemoval(client, chosen).run(removable));
    }
    return pods.stream().map(results::get).map(Objects::requireNonNull).toList();
  }

  private List<Unstructured> podsOn(String node, @Nullable String selector)
      throws InterruptedException {
    return client
        .dynamic(PODS)
        .list(
            ListOptions.builder()
                .fieldSelector(FieldSelector.equal("spec.nodeName", node).toString())
                .labelSelector(selector)
                .build())
        .items();
  }

  private boolean exists(GroupVersionResource resource, String namespace, String name)
      throws InterruptedException {
    return client.dynamic(resource).inNamespace(namespace).find(name).isPresent();
  }
}
