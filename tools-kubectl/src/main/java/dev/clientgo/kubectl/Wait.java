package dev.clientgo.kubectl;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.jsonpath.JsonPath;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A condition to wait for, as in {@code kubectl wait --for}.
 *
 * <pre>{@code
 * Wait.forCondition("Available").on(deployments, "web");
 * Wait.forJsonPath("{.status.phase}", "Running").timeout(Duration.ofMinutes(1)).on(pods, "web-0");
 * Wait.forDelete().on(pods, "web-0");
 * Wait.until(pods, "web-0", pod -> pod.status().podIP() != null, Duration.ofSeconds(30));
 * }</pre>
 *
 * <p>The object is watched, not polled. The time is 30 s unless {@link #timeout} says otherwise. A
 * wait for a condition or a path fails at once if the object is not there, or goes away. Immutable,
 * safe for use by many threads; each wait runs in the thread of its caller. Corresponds to {@code
 * k8s.io/kubectl/pkg/cmd/wait}.
 */
public final class Wait {

  /** The time that a wait takes at most, if not told otherwise. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

  private final String description;
  private final Supplier<Goal> goal;
  private final Duration timeout;

  /** Decides whether a wait has ended. One is made for each wait, and may remember what it saw. */
  @FunctionalInterface
  private interface Goal {
    boolean isReached(Optional<Unstructured> object);
  }

  private Wait(String description, Supplier<Goal> goal, Duration timeout) {
    this.description = description;
    this.goal = goal;
    this.timeout = timeout;
  }

  private static Wait present(String description, Predicate<Unstructured> test) {
    return new Wait(
        description, () -> object -> test.test(object.orElseThrow(Absent::new)), DEFAULT_TIMEOUT);
  }

  /** Waits until a condition is True. */
  public static Wait forCondition(String type) {
    return forCondition(type, "True");
  }

  /**
   * Waits until a condition has a status. Case does not matter. A condition does not count while
   * its {@code observedGeneration}, or else that of the status, is older than the object.
   */
  public static Wait forCondition(String type, String status) {
    requireNonNull(type, "type");
    requireNonNull(status, "status");
    return present(
        "condition=" + type + "=" + status, object -> hasCondition(object, type, status));
  }

  /** Waits until a path has any value. */
  public static Wait forJsonPath(String path) {
    return forJsonPath(path, null);
  }

  /**
   * Waits until a path has a value, whose text is compared.
   *
   * @param path such as {@code {.status.phase}}; braces and the first dot may be left out
   * @param value the value; null for any
   * @throws dev.clientgo.apimachinery.jsonpath.JsonPathException if the path is not valid
   */
  public static Wait forJsonPath(String path, @Nullable String value) {
    JsonPath parsed = JsonPath.column(path);
    String wanted = value == null ? "" : "=" + value;
    return present("jsonpath=" + path + wanted, object -> hasValue(object, parsed, value));
  }

  /** Waits until the object is there. */
  public static Wait forCreate() {
    return new Wait("create", () -> Optional::isPresent, DEFAULT_TIMEOUT);
  }

  /**
   * Waits until the object is gone, or another has taken its name. An object that is not there when
   * the wait begins is gone.
   */
  public static Wait forDelete() {
    return new Wait("delete", Gone::new, DEFAULT_TIMEOUT);
  }

  /**
   * Reads what {@code kubectl wait --for} takes: {@code condition=Type}, {@code
   * condition=Type=status}, {@code jsonpath='{.path}'=value}, {@code create} or {@code delete}.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  public static Wait parse(String text) {
    if (text.equalsIgnoreCase("create")) {
      return forCreate();
    } else if (text.equalsIgnoreCase("delete")) {
      return forDelete();
    } else if (text.startsWith("condition=")) {
      String[] parts = text.substring("condition=".length()).split("=", 2);
      if (!parts[0].isEmpty()) {
        return parts.length == 1 ? forCondition(parts[0]) : forCondition(parts[0], parts[1]);
      }
    } else if (text.startsWith("jsonpath=")) {
      return parseJsonPath(text.substring("jsonpath=".length()).replace("'", ""));
    }
    throw new IllegalArgumentException(
        "cannot wait for "
            + text
            + ": write condition=TYPE, condition=TYPE=STATUS, jsonpath='{PATH}'=VALUE, create or"
            + " delete");
  }

  private static Wait parseJsonPath(String text) {
    int end = text.startsWith("{") ? text.lastIndexOf('}') + 1 : text.indexOf('=');
    if (end <= 0) {
      return forJsonPath(text);
    }
    String value = text.startsWith("=", end) ? text.substring(end + 1) : null;
    return forJsonPath(text.substring(0, end), value);
  }

  /** Returns the same with another time, after which a wait fails. */
  public Wait timeout(Duration timeout) {
    return new Wait(description, goal, requireNonNull(timeout, "timeout"));
  }

  /**
   * Waits for an object.
   *
   * @param resource the client of its type, in its namespace
   * @return the object as it was when the wait ended; empty if it was gone
   * @throws TimeoutException if the time is up before
   * @throws ApiStatusException if the object is not there, but should be
   */
  public <T extends KubernetesObject> Optional<T> on(ResourceClient<T> resource, String name)
      throws InterruptedException, TimeoutException {
    Goal reached = goal.get();
    try {
      return resource.await(
          name,
          object ->
              reached.isReached(object.map(it -> Unstructured.from(resource.type().codec(), it))),
          timeout);
    } catch (Absent e) {
      throw ApiStatusException.notFound(resource.type().resource().groupResource(), name);
    } catch (TimeoutException e) {
      TimeoutException told =
          new TimeoutException(
              "waited " + timeout.toSeconds() + " s for " + this + ": " + e.getMessage());
      told.initCause(e);
      throw told;
    }
  }

  /**
   * Waits until an object is there and as it should be.
   *
   * @return the object as it was when the wait ended
   * @throws TimeoutException if the time is up before
   */
  public static <T extends KubernetesObject> T until(
      ResourceClient<T> resource, String name, Predicate<? super T> test, Duration timeout)
      throws InterruptedException, TimeoutException {
    return resource
        .await(name, object -> object.isPresent() && test.test(object.get()), timeout)
        .orElseThrow();
  }

  private static boolean hasCondition(Unstructured object, String type, String status) {
    for (Object each : object.nestedList("status", "conditions").orElse(List.of())) {
      if (each instanceof Map<?, ?> condition
          && type.equalsIgnoreCase(String.valueOf(condition.get("type")))) {
        return isCurrent(object, condition)
            && status.equalsIgnoreCase(String.valueOf(condition.get("status")));
      }
    }
    return false;
  }

  private static boolean isCurrent(Unstructured object, Map<?, ?> condition) {
    Long generation = object.metadata().generation();
    Object observed =
        condition.get("observedGeneration") != null
            ? condition.get("observedGeneration")
            : object.nested("status", "observedGeneration").orElse(null);
    return generation == null || !(observed instanceof Long seen) || seen >= generation;
  }

  private static boolean hasValue(Unstructured object, JsonPath path, @Nullable String value) {
    List<@Nullable Object> found = path.find(object.content());
    if (found.isEmpty() || value == null) {
      return !found.isEmpty();
    }
    if (found.size() > 1 || found.get(0) instanceof Map || found.get(0) instanceof List) {
      throw new IllegalArgumentException(
          path + " must lead to one string, number or boolean, to be compared with a value");
    }
    return path.print(object.content()).trim().equals(value.trim());
  }

  /** Remembers which object was there first. */
  private static final class Gone implements Goal {
    private @Nullable String uid;

    @Override
    public boolean isReached(Optional<Unstructured> object) {
      if (object.isEmpty()) {
        return true;
      }
      String now = object.get().metadata().uid();
      if (uid == null) {
        uid = now;
      }
      return uid != null && !uid.equals(now);
    }
  }

  /** There is no object whose condition could be looked at. */
  private static final class Absent extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** Returns what is waited for, as {@code kubectl wait --for} takes it. */
  @Override
  public String toString() {
    return description;
  }
}
