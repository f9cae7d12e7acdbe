package dev.clientgo.examples.podservice;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.serializer.ResourceList;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.cache.IndexFunction;
import dev.clientgo.cache.IndexSnapshot;
import dev.clientgo.cache.Indexer;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodPhase;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A question about pods: the conditions that they meet, and which page of them. Immutable.
 *
 * @param indexed the value that the pods have in each of these indices, the most selective first
 * @param after the last pod of the page before; null for the first page
 */
record PodQuery(
    Map<String, String> indexed, Selector labels, int limit, @Nullable ObjectName after) {

  /** The parameters that select pods. */
  static final Set<String> FILTERS =
      Set.of(Indexer.NAMESPACE_INDEX, "label", "node", "phase", "owner");

  /** The indices of the cache besides that by namespace, which each cache has. */
  static final Map<String, IndexFunction<Pod>> INDICES =
      Map.of(
          "node", IndexFunction.ofNullable(pod -> pod.spec().nodeName()),
          "phase", IndexFunction.ofNullable(PodQuery::phase),
          "owner", PodQuery::owners);

  /** A node has a hundred pods, a namespace may have thousands, and most pods are running. */
  private static final List<String> MOST_SELECTIVE_FIRST =
      List.of("owner", "node", Indexer.NAMESPACE_INDEX, "phase");

  private static final Set<String> PHASES =
      new TreeSet<>(Set.of("Failed", "Pending", "Running", "Succeeded", "Unknown"));

  private static final int DEFAULT_LIMIT = 500;
  private static final int MAX_LIMIT = 1_000;

  private static final Comparator<ObjectName> BY_NAME =
      Comparator.comparing(ObjectName::namespace).thenComparing(ObjectName::name);

  private static @Nullable String phase(Pod pod) {
    PodPhase phase = pod.status().phase();
    return phase == null ? null : phase.value();
  }

  private static List<String> owners(Pod pod) {
    return pod.metadata().ownerReferences().stream()
        .map(owner -> owner.kind() + "/" + owner.name())
        .toList();
  }

  /**
   * Reads a query from the parameters of a request. An empty one counts as absent.
   *
   * @throws ApiStatusException if a value is not valid
   */
  static PodQuery of(Map<String, String> parameters) {
    Map<String, String> indexed = new LinkedHashMap<>();
    for (String index : MOST_SELECTIVE_FIRST) {
      String value = parameters.getOrDefault(index, "");
      if (!value.isEmpty()) {
        indexed.put(index, value);
      }
    }
    if (indexed.containsKey("phase") && !PHASES.contains(indexed.get("phase"))) {
      throw invalid("phase", indexed.get("phase"), "not one of " + String.join(", ", PHASES));
    }
    if (indexed.containsKey("owner") && !indexed.get("owner").matches("[^/]+/[^/]+")) {
      throw invalid("owner", indexed.get("owner"), "not KIND/NAME, such as ReplicaSet/web-5d8");
    }
    return new PodQuery(
        indexed,
        parsed("label", parameters, Selector::parse),
        parsed("limit", parameters, PodQuery::parseLimit),
        parsed("continue", parameters, PodQuery::parseToken));
  }

  private static <T extends @Nullable Object> T parsed(
      String name, Map<String, String> parameters, Function<String, T> parser) {
    String text = parameters.getOrDefault(name, "");
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw invalid(name, text, String.valueOf(e.getMessage()));
    }
  }

  private static ApiStatusException invalid(String name, @Nullable String value, String problem) {
    return ApiStatusException.badRequest("%s=%s: %s".formatted(name, value, problem));
  }

  private static int parseLimit(String text) {
    if (text.isEmpty()) {
      return DEFAULT_LIMIT;
    }
    int limit = text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0;
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new IllegalArgumentException("not a number from 1 to " + MAX_LIMIT);
    }
    return limit;
  }

  private static @Nullable ObjectName parseToken(String token) {
    if (token.isEmpty()) {
      return null;
    }
    try {
      return ObjectName.parse(new String(Base64.getUrlDecoder().decode(token), UTF_8));
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("not a token of a page before", e);
    }
  }

  private static String token(ObjectName last) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(last.toString().getBytes(UTF_8));
  }

  /** Returns whether a pod meets all conditions. */
  boolean matches(Pod pod) {
    return indexed.entrySet().stream().allMatch(each -> has(pod, each.getKey(), each.getValue()))
        && labels.matches(pod.metadata().labels());
  }

  private static boolean has(Pod pod, String index, String value) {
    IndexFunction<Pod> function = INDICES.get(index);
    return function == null
        ? value.equals(pod.metadata().namespace())
        : function.indexValues(pod).contains(value);
  }

  /**
   * Returns the page, sorted by namespace and name. A pod that exists all the time is on exactly
   * one page, however many pods come and go between the requests for them.
   */
  ResourceList<Pod> page(IndexSnapshot<Pod> pods) {
    // The heap keeps the first pods; to sort all of them would cost more than to find them.
    PriorityQueue<Pod> first = new PriorityQueue<>((a, b) -> BY_NAME.compare(name(b), name(a)));
    long matching = 0;
    for (Pod pod : candidates(pods)) {
      if (matches(pod) && (after == null || BY_NAME.compare(name(pod), after) > 0)) {
        matching++;
        if (first.size() < limit) {
          first.add(pod);
        } else if (first.comparator().compare(pod, first.element()) > 0) {
          first.remove();
          first.add(pod);
        }
      }
    }
    List<Pod> items = first.stream().sorted(first.comparator().reversed()).toList();
    long remaining = matching - items.size();
    return new ResourceList<>(
        ListMeta.of(
            list -> {
              list.resourceVersion(pods.resourceVersion());
              if (remaining > 0) {
                list.continueToken(token(name(items.get(items.size() - 1))));
                list.remainingItemCount(remaining);
              }
            }),
        items);
  }

  private static ObjectName name(Pod pod) {
    return ObjectName.of(pod);
  }

  /** Returns the pods of the most selective index that the query has a value for. */
  private List<Pod> candidates(IndexSnapshot<Pod> pods) {
    return indexed.entrySet().stream()
        .findFirst()
        .map(index -> pods.byIndex(index.getKey(), index.getValue()))
        .orElseGet(pods::list);
  }
}
