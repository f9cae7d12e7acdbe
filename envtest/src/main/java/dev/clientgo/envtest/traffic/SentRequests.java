package dev.clientgo.envtest.traffic;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A selection of the requests that a server has received, and assertions about it.
 *
 * <pre>{@code
 * server.sent().writes().assertExactly("create configmaps default/web", "patch pods/status default/web");
 * ApiRequest created = server.sent().of("create", "configmaps").assertOne();
 * server.sent().of("delete", "*").inNamespace("default").assertNone();
 * }</pre>
 *
 * <p>Requests are in the order of their arrival. Assertions name a request by its {@linkplain
 * ApiRequest#summary summary}; if one fails, its {@link AssertionError} lists all recorded requests
 * and marks those of the selection. Immutable: it does not see later requests.
 *
 * <p>Corresponds to {@code Actions()} of client-go's {@code testing.Fake}.
 */
public final class SentRequests {

  /** The number of requests in an error; the latest are the ones that matter. */
  private static final int SHOWN = 100;

  private final List<ApiRequest> all;
  private final List<ApiRequest> selected;
  private final List<String> criteria;

  private SentRequests(List<ApiRequest> all, List<ApiRequest> selected, List<String> criteria) {
    this.all = all;
    this.selected = selected;
    this.criteria = criteria;
  }

  /** Returns a selection of all these requests. */
  public static SentRequests of(List<ApiRequest> requests) {
    List<ApiRequest> all = List.copyOf(requests);
    return new SentRequests(all, all, List.of());
  }

  /* --------------- Selecting --------------- */

  /** Selects the requests with a verb and a resource, as {@link ApiRequest#matches} does. */
  public SentRequests of(String verb, String resource) {
    return matching(verb + " " + resource, request -> request.matches(verb, resource));
  }

  /** Selects the requests that change resources, or would change them without their dry run. */
  public SentRequests writes() {
    return matching("writes", request -> !request.resource().isEmpty() && !request.isRead());
  }

  /** Selects the requests in one namespace. */
  public SentRequests inNamespace(String namespace) {
    return matching("in namespace " + namespace, request -> request.namespace().equals(namespace));
  }

  /** Selects the requests whose path names this object. A create names it in the body only. */
  public SentRequests named(String name) {
    return matching("named " + name, request -> request.name().equals(name));
  }

  /** Selects the requests of clients whose {@code User-Agent} starts with a text. */
  public SentRequests fromClient(String userAgent) {
    return matching(
        "from " + userAgent,
        request -> request.header("User-Agent").orElse("").startsWith(userAgent));
  }

  /** Selects the requests of a user, see {@link ApiRequest#user}. */
  public SentRequests byUser(String name) {
    return matching("by user " + name, request -> request.user().name().equals(name));
  }

  /**
   * Selects the requests that match.
   *
   * @param description names the condition in errors
   */
  public SentRequests matching(String description, Predicate<ApiRequest> condition) {
    List<String> more = new ArrayList<>(criteria);
    more.add(description);
    return new SentRequests(all, selected.stream().filter(condition).toList(), List.copyOf(more));
  }

  /** Returns the selected requests. */
  public List<ApiRequest> list() {
    return selected;
  }

  /** Returns the summaries of the selected requests. */
  public List<String> summaries() {
    return selected.stream().map(ApiRequest::summary).toList();
  }

  /* --------------- Asserting --------------- */

  /**
   * Asserts that exactly one request is selected, and returns it.
   *
   * @throws AssertionError if there is none, or more than one
   */
  public ApiRequest assertOne() {
    assertCount(1);
    return selected.get(0);
  }

  /**
   * Asserts that no request is selected.
   *
   * @throws AssertionError if there is one
   */
  public void assertNone() {
    assertCount(0);
  }

  /**
   * Asserts that so many requests are selected.
   *
   * @throws AssertionError if there are fewer or more
   */
  public void assertCount(int count) {
    if (selected.size() != count) {
      throw failure("expected " + count + (count == 1 ? " request" : " requests"));
    }
  }

  /**
   * Asserts that the selected requests are exactly these, in this order.
   *
   * @param summaries see {@link ApiRequest#summary}
   * @throws AssertionError if they are not
   */
  public void assertExactly(String... summaries) {
    if (!summaries().equals(Arrays.asList(summaries))) {
      throw failure("expected exactly" + lines(summaries));
    }
  }

  /**
   * Asserts that these requests are selected in this order, perhaps with others between them.
   *
   * @param summaries see {@link ApiRequest#summary}
   * @throws AssertionError if one is missing, or they are in another order
   */
  public void assertInOrder(String... summaries) {
    int next = 0;
    for (String sent : summaries()) {
      if (next < summaries.length && sent.equals(summaries[next])) {
        next++;
      }
    }
    if (next < summaries.length) {
      throw failure("expected in this order" + lines(summaries) + "\nmissing " + summaries[next]);
    }
  }

  private static String lines(String... summaries) {
    return summaries.length == 0 ? " none" : "\n  " + String.join("\n  ", summaries);
  }

  private AssertionError failure(String expected) {
    String what = criteria.isEmpty() ? "requests" : "requests: " + String.join(", ", criteria);
    StringBuilder text =
        new StringBuilder(
            "%s\nselected %d of %d %s".formatted(expected, selected.size(), all.size(), what));
    Set<ApiRequest> marked = new HashSet<>(selected); // Requests are compared by identity.
    int first = Math.max(0, all.size() - SHOWN);
    if (first > 0) {
      text.append("\n  … ").append(first).append(" earlier");
    }
    for (ApiRequest request : all.subList(first, all.size())) {
      text.append(marked.contains(request) ? "\n> " : "\n  ").append(described(request));
    }
    return new AssertionError(text.toString());
  }

  private static String described(ApiRequest request) {
    StringBuilder text = new StringBuilder(request.summary());
    if (request.verb().equals("patch")) {
      text.append(" (").append(request.contentType()).append(')');
    }
    if (!request.fieldManager().isEmpty()) {
      text.append(" by ").append(request.fieldManager());
    }
    return text.toString();
  }

  /** Returns the summaries, one a line. */
  @Override
  public String toString() {
    return String.join("\n", summaries());
  }
}
