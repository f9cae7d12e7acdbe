package dev.clientgo.kubectl;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.meta.options.CreateOptions;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.Preconditions;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.clock.Deadline;
import dev.clientgo.kubectl.PodResult.Action;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Removes the pods of one node: sends evictions, some at once, repeats those that a disruption
 * budget refuses, and waits until the pods are gone.
 *
 * <p>Unlike kubectl: an eviction names the uid of its pod. The pod of a stateful set that has moved
 * to another node under the same name is not evicted there.
 */
final class PodRemoval {

  /** The most evictions at once. A budget that refuses one holds no thread. */
  private static final int AT_ONCE = 16;

  private static final GroupVersionResource PODS = new GroupVersionResource("", "v1", "pods");

  /** The cause of errors in a namespace that is being deleted. */
  private static final String NAMESPACE_TERMINATING = "NamespaceTerminating";

  private final RESTClient client;
  private final Settings settings;
  private final Clock clock = Clock.system();
  private final Deadline deadline;
  private final Map<Unstructured, PodResult> results = new HashMap<>();

  PodRemoval(RESTClient client, Settings settings) {
    this.client = client;
    this.settings = settings;
    Duration century = Duration.ofDays(36_500);
    this.deadline = clock.deadline(settings.timeout == null ? century : settings.timeout);
  }

  /** Which pods are removed, and how; changed only before a drain begins. */
  static final class Settings {
    boolean ignoreDaemonSets;
    boolean deleteEmptyDirData;
    boolean force;
    @Nullable Duration gracePeriod;
    @Nullable Duration timeout;
    @Nullable String podSelector;
    boolean disableEviction;
    Duration betweenEvictions = Duration.ofSeconds(5);
  }

  /** What the answer to a request to remove a pod means. */
  private enum Kind {
    /** The server removes the pod. */
    LEAVING,
    /** The pod is not there. */
    GONE,
    /** The request may succeed later. */
    REFUSED,
    /** It never will. */
    FAILED,
    /** The time was up before the server answered. */
    LATE
  }

  private record Answer(Kind kind, String reason) {}

  /** Removes the pods, and returns the result for each. */
  Map<Unstructured, PodResult> run(List<Unstructured> pods) throws InterruptedException {
    List<Unstructured> waiting = pods;
    List<Unstructured> leaving = new ArrayList<>();
    Map<Unstructured, String> lastRefusals = Map.of();
    while (true) {
      Map<Unstructured, String> refusals = new LinkedHashMap<>();
      List<Answer> answers = removeAll(waiting);
      for (int i = 0; i < answers.size(); i++) {
        Unstructured pod = waiting.get(i);
        switch (answers.get(i).kind()) {
          case LEAVING -> leaving.add(pod);
          case REFUSED -> refusals.put(pod, answers.get(i).reason());
          case GONE -> results.put(pod, removed(pod));
          case FAILED -> results.put(pod, failed(pod, answers.get(i).reason()));
          case LATE -> {
            String last = lastRefusals.getOrDefault(pod, "the server has not answered");
            results.put(pod, failed(pod, late() + last));
          }
        }
      }
      if (refusals.isEmpty()) {
        break;
      } else if (left().compareTo(settings.betweenEvictions) < 0) {
        refusals.forEach((pod, reason) -> results.put(pod, failed(pod, late() + reason)));
        break;
      }
      clock.sleep(settings.betweenEvictions);
      waiting = List.copyOf(refusals.keySet());
      lastRefusals = refusals;
    }
    for (Unstructured pod : leaving) {
      results.put(pod, awaitGone(pod));
    }
    return results;
  }

  /** Sends one request for each pod, and returns the answers in the order of the pods. */
  private List<Answer> removeAll(List<Unstructured> pods) throws InterruptedException {
    if (pods.isEmpty()) {
      return List.of();
    }
    ExecutorService threads =
        Executors.newFixedThreadPool(
            Math.min(AT_ONCE, pods.size()), DaemonThreads.named("client-go-drain-"));
    try {
      List<Callable<Answer>> requests = new ArrayList<>();
      pods.forEach(pod -> requests.add(() -> remove(pod)));
      List<Future<Answer>> futures =
          threads.invokeAll(requests, left().toNanos(), TimeUnit.NANOSECONDS);
      List<Answer> answers = new ArrayList<>();
      for (Future<Answer> future : futures) {
        answers.add(answer(future));
      }
      return answers;
    } finally {
      threads.shutdownNow();
    }
  }

  private Answer answer(Future<Answer> future) throws InterruptedException {
    try {
      return future.get();
    } catch (CancellationException e) {
      return new Answer(Kind.LATE, "");
    } catch (ExecutionException e) {
      return new Answer(Kind.FAILED, String.valueOf(e.getCause()));
    }
  }

  private Answer remove(Unstructured pod) throws InterruptedException {
    try {
      send(pod);
      return new Answer(Kind.LEAVING, "");
    } catch (ApiStatusException e) {
      return explain(pod, e);
    } catch (KubernetesException e) {
      return new Answer(Kind.FAILED, String.valueOf(e.getMessage()));
    }
  }

  private Answer explain(Unstructured pod, ApiStatusException e) throws InterruptedException {
    String reason = String.valueOf(e.getMessage());
    if (e.isNotFound()) {
      // The pod, or the subresource where the server has none.
      return new Answer(isGone(pod) ? Kind.GONE : Kind.FAILED, reason);
    } else if (e.isTooManyRequests()) {
      return new Answer(Kind.REFUSED, reason);
    } else if (e.isConflict()) {
      // The uid, or the budget has changed under the eviction.
      return new Answer(isGone(pod) ? Kind.GONE : Kind.REFUSED, reason);
    } else if (e.isForbidden() && e.hasStatusCause(NAMESPACE_TERMINATING)) {
      // No eviction succeeds there; the deletion of the namespace removes the pod.
      return new Answer(Kind.LEAVING, "");
    }
    return new Answer(Kind.FAILED, reason);
  }

  private void send(Unstructured pod) throws InterruptedException {
    DeleteOptions options =
        DeleteOptions.builder()
            .gracePeriod(settings.gracePeriod)
            .preconditions(Preconditions.ofUid(String.valueOf(pod.metadata().uid())))
            .build();
    if (settings.disableEviction) {
      pods(pod).delete(name(pod), options);
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
    pods(pod)
        .subresource("eviction", Unstructured.CODEC)
        .submit(name(pod), eviction, CreateOptions.NONE);
  }

  private boolean isGone(Unstructured pod) throws InterruptedException {
    String uid = String.valueOf(pod.metadata().uid());
    try {
      return pods(pod).find(name(pod)).filter(now -> uid.equals(now.metadata().uid())).isEmpty();
    } catch (KubernetesException e) {
      return false;
    }
  }

  private PodResult awaitGone(Unstructured pod) throws InterruptedException {
    String uid = String.valueOf(pod.metadata().uid());
    try {
      pods(pod)
          .await(
              name(pod), now -> now.isEmpty() || !uid.equals(now.get().metadata().uid()), left());
      return removed(pod);
    } catch (TimeoutException e) {
      return failed(pod, late() + "it has not ended");
    } catch (KubernetesException e) {
      return failed(pod, String.valueOf(e.getMessage()));
    }
  }

  private ResourceClient<Unstructured> pods(Unstructured pod) {
    return client.dynamic(PODS).inNamespace(namespace(pod));
  }

  private PodResult removed(Unstructured pod) {
    return result(pod, settings.disableEviction ? Action.DELETED : Action.EVICTED, "");
  }

  private static PodResult failed(Unstructured pod, String reason) {
    return result(pod, Action.FAILED, reason);
  }

  static PodResult result(Unstructured pod, Action action, String reason) {
    return new PodResult(namespace(pod), name(pod), action, reason);
  }

  private static String namespace(Unstructured pod) {
    return String.valueOf(pod.metadata().namespace());
  }

  private static String name(Unstructured pod) {
    return String.valueOf(pod.metadata().name());
  }

  private String late() {
    Duration timeout = settings.timeout;
    return timeout == null ? "" : "after " + timeout.toSeconds() + " s: ";
  }

  /** Returns the time that is left, 1 ms at least. */
  private Duration left() {
    Duration left = deadline.left();
    return left.compareTo(Duration.ofMillis(1)) < 0 ? Duration.ofMillis(1) : left;
  }
}
