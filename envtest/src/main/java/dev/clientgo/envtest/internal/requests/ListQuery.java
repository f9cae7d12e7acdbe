package dev.clientgo.envtest.internal.requests;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.envtest.internal.errors.ApiErrors;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a list or a watch asks for, checked. Corresponds to {@code metav1.ListOptions} and the API
 * server's {@code ValidateListOptions}.
 *
 * @param resourceVersion empty, {@code 0}, or a version
 * @param match {@code Exact}, {@code NotOlderThan}, or empty
 * @param limit the size of a page, or 0
 * @param continueToken where the last page ended, or empty
 * @param bookmarks whether a watch is to have bookmarks
 * @param sendInitialEvents whether a watch is to begin with what there is; null if not said
 * @param timeoutSeconds when a watch is to end; null if not said
 * @param selection which objects
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
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if it is not valid
   */
  public static ListQuery of(ApiRequest request, ServedKind served) {
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
            SelectionPredicate.of(request, served));
    List<StatusCause> errors = watch ? query.watchErrors() : query.listErrors();
    ApiErrors.checkOptions("ListOptions", errors);
    return query;
  }

  private List<StatusCause> listErrors() {
    List<StatusCause> errors = new ArrayList<>();
    if (!match.isEmpty()) {
      if (resourceVersion.isEmpty()) {
        errors.add(
            ApiErrors.forbiddenField(
                MATCH, MATCH + " is forbidden unless resourceVersion is provided"));
      }
      if (!continueToken.isEmpty()) {
        errors.add(
            ApiErrors.forbiddenField(MATCH, MATCH + " is forbidden when continue is provided"));
      }
      if (!match.equals("Exact") && !match.equals("NotOlderThan")) {
        errors.add(
            ApiErrors.unsupportedValue(MATCH, '"' + match + '"', "Exact", "NotOlderThan", ""));
      }
      if (match.equals("Exact") && resourceVersion.equals("0")) {
        errors.add(
            ApiErrors.forbiddenField(
                MATCH, MATCH + " \"exact\" is forbidden for resourceVersion \"0\""));
      }
    }
    if (sendInitialEvents != null) {
      errors.add(
          ApiErrors.forbiddenField("sendInitialEvents", "sendInitialEvents is forbidden for list"));
    }
    return errors;
  }

  private List<StatusCause> watchErrors() {
    List<StatusCause> errors = new ArrayList<>();
    if (sendInitialEvents != null && !match.equals("NotOlderThan")) {
      errors.add(
          ApiErrors.forbiddenField(
              MATCH, "sendInitialEvents requires setting " + MATCH + " to NotOlderThan"));
    }
    if (!match.isEmpty()) {
      if (sendInitialEvents == null) {
        errors.add(
            ApiErrors.forbiddenField(
                MATCH, MATCH + " is forbidden for watch unless sendInitialEvents is provided"));
      }
      if (!match.equals("NotOlderThan")) {
        errors.add(ApiErrors.unsupportedValue(MATCH, '"' + match + '"', "NotOlderThan"));
      }
      if (!continueToken.isEmpty()) {
        errors.add(
            ApiErrors.forbiddenField(MATCH, MATCH + " is forbidden when continue is provided"));
      }
    }
    return errors;
  }

  /** Returns whether the answer is to be the objects as they were at exactly that version. */
  public boolean isExact() {
    // A limit beside a version has always meant that version, so that pages fit each other.
    return match.equals("Exact")
        || (match.isEmpty() && limit > 0 && !isAnyVersion() && continueToken.isEmpty());
  }

  /** Returns whether a watch begins with the objects that are there. */
  public boolean wantsInitialEvents() {
    return sendInitialEvents == null ? isAnyVersion() : sendInitialEvents;
  }

  /** Returns whether any version will do. */
  public boolean isAnyVersion() {
    return resourceVersion.isEmpty() || resourceVersion.equals("0");
  }
}
