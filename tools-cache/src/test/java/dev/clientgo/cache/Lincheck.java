package dev.clientgo.cache;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/** Where and how thoroughly Lincheck looks for threads that get into each other's way. */
final class Lincheck {

  private Lincheck() {}

  /**
   * Returns options for random scenarios of two threads, few enough for every build; {@code
   * -Dclientgo.lincheck=20} makes it twenty times as many.
   */
  static ModelCheckingOptions options() {
    return new ModelCheckingOptions()
        // For one interleaving. Lincheck instruments classes within it, which takes long on a busy
        // machine; a deadlock it finds without waiting.
        .invocationTimeout$lincheck(Duration.ofMinutes(5).toMillis())
        .iterations(2 * Integer.getInteger("clientgo.lincheck", 1))
        .invocationsPerIteration(40)
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(2)
        .actorsAfter(2)
        .minimizeFailedScenario(false)
        // The critical sections are interleaved, not the steps within a map.
        .addGuarantee(
            ManagedStrategyGuaranteeKt.forClasses(Lincheck::isCollection)
                .allMethods()
                .treatAsAtomic());
  }

  private static boolean isCollection(String className) {
    return className.startsWith("java.util.") && !className.startsWith("java.util.concurrent.");
  }

  /**
   * Returns a scenario. Each part is a sequence of operations, by the name of the method and its
   * argument, if it has one: {@code "update:1 pop"}.
   */
  static ExecutionScenario scenario(
      Class<?> operations, String before, String thread1, String thread2, String after) {
    return new ExecutionScenario(
        actors(operations, before),
        List.of(actors(operations, thread1), actors(operations, thread2)),
        actors(operations, after),
        null);
  }

  private static List<Actor> actors(Class<?> operations, String text) {
    List<Actor> actors = new ArrayList<>();
    for (String call : text.isEmpty() ? new String[0] : text.split(" ")) {
      int colon = call.indexOf(':');
      String name = colon < 0 ? call : call.substring(0, colon);
      Method method =
          Stream.of(operations.getMethods())
              .filter(candidate -> candidate.getName().equals(name))
              .findFirst()
              .orElseThrow();
      List<Object> arguments =
          colon < 0 ? List.of() : List.of(Integer.parseInt(call.substring(colon + 1)));
      actors.add(new Actor(method, arguments));
    }
    return actors;
  }
}
