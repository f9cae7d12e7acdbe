package dev.clientgo.controller.internal.debug;

import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.controller.debug.Cause;
import dev.clientgo.controller.debug.FieldChange;
import dev.clientgo.controller.debug.KeyHistory;
import dev.clientgo.controller.debug.ReconcileRecord;
import dev.clientgo.controller.internal.http.HttpEndpoints.Page;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The page {@code /debug/reconciles}: an index of the requests, or, if the query has a name, their
 * histories.
 */
public final class DebugPage {

  private final ReconcileHistory history;

  /** Creates the page of a history. */
  public DebugPage(ReconcileHistory history) {
    this.history = history;
  }

  /**
   * Returns the page.
   *
   * @param query may have {@code controller}, {@code namespace} and {@code name}
   */
  public Page page(Map<String, String> query) {
    boolean one = query.containsKey("name");
    List<KeyHistory> found = history.histories(key -> matches(query, key), one);
    if (one && found.isEmpty()) {
      return json(404, Map.of("message", "no reconcile of " + query + " is recorded"));
    }
    List<Map<String, Object>> all =
        found.stream().map(each -> one ? history(each) : summary(each)).toList();
    return json(200, Map.of(one ? "histories" : "keys", all));
  }

  private static boolean matches(Map<String, String> query, RequestKey key) {
    return query.getOrDefault("controller", key.controller()).equals(key.controller())
        && query
            .getOrDefault("namespace", key.request().namespace())
            .equals(key.request().namespace())
        && query.getOrDefault("name", key.request().name()).equals(key.request().name());
  }

  private static Page json(int code, Map<String, ?> content) {
    return new Page(code, "application/json", RawJson.of(JsonCodecs.TREE, content) + "\n");
  }

  private static Map<String, Object> summary(KeyHistory key) {
    Map<String, Object> tree = head(key);
    int pending = key.pending().size() + key.droppedPending();
    tree.put("pendingCauses", (long) pending);
    if (!key.records().isEmpty()) {
      ReconcileRecord last = key.records().get(key.records().size() - 1);
      Map<String, Object> result = result(last);
      result.put("causes", (long) last.causes().size() + last.droppedCauses());
      tree.put("last", result);
    }
    return tree;
  }

  private static Map<String, Object> head(KeyHistory key) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("controller", key.controller());
    tree.put("namespace", key.request().namespace());
    tree.put("name", key.request().name());
    tree.put("reconciles", key.reconciles());
    return tree;
  }

  private static Map<String, Object> history(KeyHistory key) {
    Map<String, Object> tree = head(key);
    tree.put("records", key.records().stream().map(DebugPage::record).toList());
    tree.put("pending", key.pending().stream().map(DebugPage::cause).toList());
    tree.put("droppedPending", (long) key.droppedPending());
    return tree;
  }

  private static Map<String, Object> result(ReconcileRecord reconcile) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("reconcileId", reconcile.reconcileId());
    tree.put("start", reconcile.start().toString());
    tree.put("seconds", seconds(reconcile.duration()));
    tree.put("outcome", reconcile.outcome().name());
    Duration requeueAfter = reconcile.requeueAfter();
    if (requeueAfter != null) {
      tree.put("requeueAfterSeconds", seconds(requeueAfter));
    }
    putIfPresent(tree, "error", reconcile.error());
    return tree;
  }

  private static Map<String, Object> record(ReconcileRecord reconcile) {
    Map<String, Object> tree = result(reconcile);
    tree.put("priority", (long) reconcile.priority());
    tree.put("causes", reconcile.causes().stream().map(DebugPage::cause).toList());
    tree.put("droppedCauses", (long) reconcile.droppedCauses());
    return tree;
  }

  private static Map<String, Object> cause(Cause cause) {
    Map<String, Object> tree = new LinkedHashMap<>();
    if (cause instanceof Cause.ObjectEvent event) {
      tree.put("type", event.type().name());
      tree.put("time", event.time().toString());
      tree.put("resource", event.resource());
      tree.put("namespace", event.object().namespace());
      tree.put("name", event.object().name());
      putIfPresent(tree, "oldVersion", event.oldVersion());
      putIfPresent(tree, "version", event.version());
      putIfPresent(tree, "writtenBy", event.writtenBy());
      if (event.changesKept()) {
        tree.put("changes", event.changes().stream().map(DebugPage::change).toList());
        tree.put("otherChanges", (long) event.otherChanges());
      }
    } else if (cause instanceof Cause.Retry retry) {
      tree.put("type", "RETRY");
      tree.put("time", retry.time().toString());
      tree.put("failures", (long) retry.failures());
    } else if (cause instanceof Cause.RequeueAfter requeue) {
      tree.put("type", "REQUEUE_AFTER");
      tree.put("time", requeue.time().toString());
      tree.put("delaySeconds", seconds(requeue.delay()));
    } else {
      tree.put("type", "ENQUEUED");
      tree.put("time", cause.time().toString());
    }
    return tree;
  }

  private static Map<String, Object> change(FieldChange change) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("path", change.path());
    putIfPresent(tree, "before", change.before());
    putIfPresent(tree, "after", change.after());
    return tree;
  }

  private static void putIfPresent(Map<String, Object> tree, String name, @Nullable String value) {
    if (value != null) {
      tree.put(name, value);
    }
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
