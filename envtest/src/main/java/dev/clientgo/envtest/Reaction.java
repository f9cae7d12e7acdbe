package dev.clientgo.envtest;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.Status;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.verbs.ReactionHandler;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The answer of a {@link Reactors.Reactor} to one request. Immutable.
 *
 * <p>Objects and lists are sent in the form that the client asks for: whole, as metadata or as
 * tables. Nothing is stored.
 */
public final class Reaction {

  /** Makes the response. */
  private interface Answer {
    Response answer(ApiRequest request, ReactionHandler handler, Supplier<Response> next);
  }

  private static final Reaction PASS = new Reaction((request, handler, next) -> next.get());
  private static final Reaction SUCCESS =
      new Reaction((request, handler, next) -> Response.done(200));

  private final Answer answer;

  private Reaction(Answer answer) {
    this.answer = answer;
  }

  Response answer(ApiRequest request, ReactionHandler handler, Supplier<Response> next) {
    return answer.answer(request, handler, next);
  }

  /** Passes the request on to the next reactor, and after the last one to the server. */
  public static Reaction pass() {
    return PASS;
  }

  /**
   * Passes the request on, and changes the object or list in the answer. If the function throws an
   * {@link ApiStatusException}, the client gets this error although the server has done what the
   * client asked for. The function is not called for an error or a watch.
   *
   * <p>Corresponds to a function of controller-runtime's {@code interceptor.Funcs} that calls the
   * client it is given.
   */
  public static Reaction passThen(UnaryOperator<Unstructured> change) {
    requireNonNull(change, "change");
    return new Reaction((request, handler, next) -> ReactionHandler.changed(next.get(), change));
  }

  /** Answers with an object: 201 to a create, 200 to anything else. */
  public static Reaction object(Unstructured object) {
    requireNonNull(object, "object");
    return new Reaction((request, handler, next) -> handler.object(request, object));
  }

  /** Answers with an object of a type, like {@link #object(Unstructured)}. */
  public static <T extends KubernetesObject> Reaction object(ResourceType<T> type, T object) {
    return object(Unstructured.from(type.codec(), object));
  }

  /**
   * Answers with a list of exactly these objects: the server neither selects from them nor divides
   * them into pages.
   */
  public static Reaction list(List<Unstructured> objects) {
    return page(objects, "");
  }

  /** Answers with a list of objects of a type, like {@link #list(List)}. */
  public static <T extends KubernetesObject> Reaction list(ResourceType<T> type, List<T> objects) {
    return list(objects.stream().map(object -> Unstructured.from(type.codec(), object)).toList());
  }

  /**
   * Answers with a page of a list.
   *
   * @param continueToken the token with which the client asks for the next page, see {@link
   *     ApiRequest#query(String)}; empty for the last page
   */
  public static Reaction page(List<Unstructured> objects, String continueToken) {
    requireNonNull(continueToken, "continueToken");
    List<Unstructured> copy = List.copyOf(objects);
    return new Reaction((request, handler, next) -> handler.list(request, copy, continueToken));
  }

  /** Answers with a {@code Status} that reports success, as the server does to most deletes. */
  public static Reaction success() {
    return SUCCESS;
  }

  /** Answers with an error. */
  public static Reaction error(ApiStatusException error) {
    requireNonNull(error, "error");
    return new Reaction(
        (request, handler, next) -> {
          throw error;
        });
  }

  /** Answers with the error of a status. */
  public static Reaction error(Status status) {
    return error(new ApiStatusException(status));
  }

  /**
   * Answers with the error that the API has for an HTTP status code, such as 409 for a conflict. It
   * names the resource and the object of the request.
   */
  public static Reaction error(int code) {
    return new Reaction(
        (request, handler, next) -> {
          throw ApiStatusException.genericServerResponse(
              code,
              request.verb(),
              new GroupResource(request.group(), request.resource()),
              request.name(),
              "injected",
              0,
              false);
        });
  }

  /**
   * Answers a watch with these events, and keeps it open. It reports only these events; {@link
   * EmbeddedApiServer#watches} has the watch, to send more events and to end it. A client that asks
   * for initial events first gets the bookmark that ends them.
   *
   * <p>Corresponds to {@code watch.NewFake()} of client-go, with a {@code PrependWatchReactor}.
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // asList only reads
  public static Reaction watch(WatchEvent<Unstructured>... events) {
    return watch(Arrays.asList(events));
  }

  /** Answers a watch with these events, like {@link #watch(WatchEvent[])}. */
  public static Reaction watch(List<WatchEvent<Unstructured>> events) {
    List<WatchEvent<Unstructured>> copy = List.copyOf(events);
    return new Reaction((request, handler, next) -> handler.watch(request, copy));
  }
}
