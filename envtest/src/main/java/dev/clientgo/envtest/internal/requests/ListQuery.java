package dev.clientgo.envtest.internal.requests;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.envtest.internal.errors.FieldErrors;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The validated options of a list or a watch. Corresponds to {@code metav1.ListOptions} and the API
 * server's {@code ValidateListOptions}.
 *
 * @param resourceVersion empty, {@code 0}, or a version
 * @param match {@code Exact}, {@code NotOlderThan}, or empty
 * @param limit the size of a page, or 0 for no limit
 * @param continueToken the end of the previous page, or empty
 * @param bookmarks whether a watch sends bookmarks
 * @param sendInitialEvents whether a watch starts with the current objects; null if not set
 * @param timeoutSeconds the timeout of a watch; null if not set
 * @param selection the selectors
 */
public record ListQuery(
    String resourceVersion,
    String match,
    long limit,
    String continueToken,
    boolean bookmarks,
    @Nullable Boolean sendInitialEvents,
    @Nullable Long timeoutSeconds,
    SelectionPredicate selection) {

  private static final String MATCH = "resourceVersionMatch";

  /**
   * Reads the query of a list or a watch.
   *
   * @param shards whether the server knows shards
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if it is invalid
   */
  public static ListQuery of(ApiRequest request, ServedKind served, boolean shards) {
    boolean watch = request.verb().equals("watch");
    ListQuery query =
        new ListQuery(
            request.query("resourceVersion"),
            request.query(MATCH),
            Math.max(0, requireNonNullElse(QueryParameters.number(request, "limit"), 0L)),
            request.query("continue"),
            requireNonNullElse(QueryParameters.flag(request, "allowWatchBookmarks"), false),
            QueryParameters.flag(request, "sendInitialEvents"),
            QueryParameters.number(request, "timeoutSeconds"),
            SelectionPredicate.of(request, served, shards));
    List<StatusCause> errors = watch ? query.watchErrors() : query.listErrors();
    FieldErrors.throwIfAny("ListOptions", errors);
    return query;
  }

  private List<StatusCause> listErrors() {
    List<StatusCause> errors = new ArrayList<>();
    if (!match.isEmpty()) {
      forbid(resourceVersion.isEmpty(), "is forbidden unless resourceVersion is provided", errors);
      forbid(!continueToken.isEmpty(), "is forbidden when continue is provided", errors);
      if (!match.equals("Exact") && !match.equals("NotOlderThan")) {
        errors.add(FieldErrors.notSupported(MATCH, '"' + match + '"', "Exact", "NotOlderThan", ""));
      }
      forbid(
          match.equals("Exact") && resourceVersion.equals("0"),
          "\"exact\" is forbidden for resourceVersion \"0\"",
          errors);
    }
    if (sendInitialEvents != null) {
      errors.add(
          FieldErrors.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
    }
    return errors;
  }

  private List<StatusCause> watchErrors() {
    List<StatusCause> errors = new ArrayList<>();
    if (sendInitialEvents != null && !match.equals("NotOlderThan")) {
      errors.add(
          FieldErrors.forbidden(
              MATCH, "sendInitialEvents requires setting " + MATCH + " to NotOlderThan"));
    }
    if (!match.isEmpty()) {
      forbid(
          sendInitialEvents == null,
          "is forbidden for watch unless sendInitialEvents is provided",
          errors);
      if (!match.equals("NotOlderThan")) {
        errors.add(FieldErrors.notSupported(MATCH, '"' + match + '"', "NotOlderThan"));
      }
      forbid(!continueToken.isEmpty(), "is forbidden when continue is provided", errors);
    }
    return errors;
  }

  private static void forbid(boolean condition, String reason, List<StatusCause> errors) {
    if (condition) {
      errors.add(FieldErrors.forbidden(MATCH, MATCH + " " + reason));
    }
  }

  /** Returns whether the list must show the objects at exactly that version. */
  public boolean isExact() {
    // A limit with a version implies that version, so that all pages show the same.
    return match.equals("Exact")
        || (match.isEmpty() && limit > 0 && !isAnyVersion() && continueToken.isEmpty());
  }

  /**
   * Returns the size of a page, 0 for no limit. For any version, kube-apiserver answers from its
   * cache, without pages.
   */
  public long pageLimit() {
    return resourceVersion.equals("0") ? 0 : limit;
  }

  /** Returns whether a watch starts with the current objects. */
  public boolean wantsInitialEvents() {
    return sendInitialEvents == null ? isAnyVersion() : sendInitialEvents;
  }

  /** Returns whether any version is acceptable. */
  public boolean isAnyVersion() {
    return resourceVersion.isEmpty() || resourceVersion.equals("0");
  }
}
