package dev.clientgo.envtest;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.meta.StatusCause;
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
record ListQuery(
    String resourceVersion,
    String match,
    long limit,
    String continueToken,
    boolean bookmarks,
    @Nullable Boolean sendInitialEvents,
    @Nullable Long timeoutSeconds,
    Selection selection) {

  private static final String MATCH = "resourceVersionMatch";

  /**
   * Reads the query of a list or a watch.
   *
   * @throws dev.clientgo.apimachinery.errors.ApiStatusException if it is not valid
   */
  static ListQuery of(ApiRequest request, Served served) {
    boolean watch = request.verb().equals("watch");
    ListQuery query =
        new ListQuery(
            request.query("resourceVersion"),
            request.query(MATCH),
            Math.max(0, requireNonNullElse(Parameters.number(request, "limit"), 0L)),
            request.query("continue"),
            requireNonNullElse(Parameters.flag(request, "allowWatchBookmarks"), false),
            Parameters.flag(request, "sendInitialEvents"),
            Parameters.number(request, "timeoutSeconds"),
            Selection.of(request, served));
    List<StatusCause> errors = watch ? query.watchErrors() : query.listErrors();
    Failures.checkOptions("ListOptions", errors);
    return query;
  }

  private List<StatusCause> listErrors() {
    List<StatusCause> errors = new ArrayList<>();
    if (!match.isEmpty()) {
      if (resourceVersion.isEmpty()) {
        errors.add(
            Failures.forbiddenField(
                MATCH, MATCH + " is forbidden unless resourceVersion is provided"));
      }
      if (!continueToken.isEmpty()) {
        errors.add(
            Failures.forbiddenField(MATCH, MATCH + " is forbidden when continue is provided"));
      }
      if (!match.equals("Exact") && !match.equals("NotOlderThan")) {
        errors.add(
            Failures.unsupportedValue(MATCH, '"' + match + '"', "Exact", "NotOlderThan", ""));
      }
      if (match.equals("Exact") && resourceVersion.equals("0")) {
        errors.add(
            Failures.forbiddenField(
                MATCH, MATCH + " \"exact\" is forbidden for resourceVersion \"0\""));
      }
    }
    if (sendInitialEvents != null) {
      errors.add(
          Failures.forbiddenField("sendInitialEvents", "sendInitialEvents is forbidden for list"));
    }
    return errors;
  }

  private List<StatusCause> watchErrors() {
    List<StatusCause> errors = new ArrayList<>();
    if (sendInitialEvents != null && !match.equals("NotOlderThan")) {
      errors.add(
          Failures.forbiddenField(
              MATCH, "sendInitialEvents requires setting " + MATCH + " to NotOlderThan"));
    }
    if (!match.isEmpty()) {
      if (sendInitialEvents == null) {
        errors.add(
            Failures.forbiddenField(
                MATCH, MATCH + " is forbidden for watch unless sendInitialEvents is provided"));
      }
      if (!match.equals("NotOlderThan")) {
        errors.add(Failures.unsupportedValue(MATCH, '"' + match + '"', "NotOlderThan"));
      }
      if (!continueToken.isEmpty()) {
        errors.add(
            Failures.forbiddenField(MATCH, MATCH + " is forbidden when continue is provided"));
      }
    }
    return errors;
  }

  /** Returns whether the answer is to be the objects as they were at exactly that version. */
  boolean isExact() {
    // A limit beside a version has always meant that version, so that pages fit each other.
    return match.equals("Exact")
        || (match.isEmpty() && limit > 0 && !isAnyVersion() && continueToken.isEmpty());
  }

  /** Returns whether a watch begins with the objects that are there. */
  boolean wantsInitialEvents() {
    return sendInitialEvents == null ? isAnyVersion() : sendInitialEvents;
  }

  /** Returns whether any version will do. */
  boolean isAnyVersion() {
    return resourceVersion.isEmpty() || resourceVersion.equals("0");
  }
}
