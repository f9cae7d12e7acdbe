package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.Clock;
import dev.clientgo.controller.metrics.MetricsRegistry;
import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.workqueue.RateLimiter;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Knows each function that a user gives to this module, and where a test makes it throw. A new one
 * needs a line here.
 */
final class CallbackTableTest {

  private static final String RUNNING = "CallbackFaultsTest";
  private static final String STARTING = "StartFaultsTest";
  private static final String WEBHOOKS = "WebhookFaultsTest";
  private static final String CLUSTERS = "ClustersTest";

  /** The caller gets what it throws; none of our threads runs it. */
  private static final String CALLER = "thrown to the caller";

  /** Time and randomness: only tests give others. */
  private static final String INJECTED = "for tests";

  private static final Map<String, String> TABLE = new TreeMap<>();

  private static void row(String parameter, String test) {
    TABLE.put(parameter, test);
  }

  static {
    row("CachedResource.createOrPatch(UnaryOperator)", CALLER);
    row("CachedResource.createOrUpdate(UnaryOperator)", CALLER);
    row("CachedResource.edit(UnaryOperator)", CALLER);
    row("CachedResource.editStatus(UnaryOperator)", CALLER);
    row("Clusters.Builder.clock(Clock)", INJECTED);
    row("Clusters.Builder.controller(Function)", CLUSTERS);
    row("Clusters.Builder.managers(BiConsumer)", CLUSTERS);
    row("Controller.builder(Reconciler)", RUNNING);
    row("Controller.watch(MapFunction)", RUNNING);
    row("ControllerBuilder.forKind(Predicate)", RUNNING);
    row("ControllerBuilder.onFinalFailure(FinalFailureHandler)", RUNNING);
    row("ControllerBuilder.polls(Poller)", RUNNING);
    row("Manager.add(ManagerRunnable)", "ManagerRunnableTest");
    row("Manager.addEverywhere(ManagerRunnable)", "ManagerRunnableTest");
    row("ControllerBuilder.owns(Predicate)", RUNNING);
    row("ControllerBuilder.predicate(Predicate)", RUNNING);
    row("ControllerBuilder.rateLimiter(RateLimiter)", RUNNING);
    row("ControllerBuilder.watches(MapFunction)", RUNNING);
    row("ControllerBuilder.watches(Predicate)", RUNNING);
    row("ControllerBuilder.watches(ReadingMapFunction)", RUNNING);
    row("Conversion.Hub.spoke(Step)", WEBHOOKS);
    row("Conversion.of(Converter)", WEBHOOKS);
    row("FinalizerSet.Builder.add(ObjectReconciler)", "FinalizerContract");
    row("FinalizerSet.of(ObjectReconciler)", "FinalizerContract");
    row("FinalizerSet.reconcile(ObjectReconciler)", RUNNING);
    row("ManagerBuilder.clock(Clock)", INJECTED);
    row("ManagerBuilder.random(RandomGenerator)", INJECTED);
    row("ManagerBuilder.events(Function)", "FightReportsTest; a reconciler gets what it throws");
    row("ManagerBuilder.healthCheck(HealthCheck)", RUNNING);
    row("ManagerBuilder.readyCheck(HealthCheck)", RUNNING);
    row("ManagerBuilder.informers(Consumer)", CALLER + "; configureAll: " + STARTING);
    row("ManagerBuilder.leaderElection(Consumer)", CALLER);
    row("ManagerBuilder.shards(Consumer)", CALLER);
    row("ManagerBuilder.metrics(MetricsRegistry)", RUNNING);
    row("ManagerBuilder.onFieldFight(Consumer)", "FightReportsTest");
    row("ManagerBuilder.observer(ReconcileObserver)", RUNNING);
    row("ManagerBuilder.reconcilers(UnaryOperator)", RUNNING + ", " + STARTING);
    row("ManagerBuilder.threadFactory(ThreadFactory)", STARTING);
    row("ManagerBuilder.webhooks(Function)", CALLER);
    row("Predicate.of(Predicate)", RUNNING);
    row("Predicate.ofUpdates(BiPredicate)", RUNNING);
    row("PrometheusMetrics.gauge(DoubleSupplier)", "PrometheusMetricsTest");
    row("Webhook.mutating(AdmissionHandler)", WEBHOOKS);
    row("Webhook.mutating(Mutator)", WEBHOOKS);
    row("Webhook.validating(AdmissionHandler)", WEBHOOKS);
    row("Webhook.validating(Validator)", WEBHOOKS);
    row("WebhookServer.Builder.clock(Clock)", INJECTED);
    row("WebhookServer.start(MetricsRegistry)", WEBHOOKS);
  }

  private static boolean isUserCode(Class<?> type) {
    return type.isAnnotationPresent(FunctionalInterface.class)
        || type.getName().startsWith("java.util.function.")
        || Set.of(
                Clock.class,
                MetricsRegistry.class,
                Predicate.class,
                RandomGenerator.class,
                RateLimiter.class,
                java.util.concurrent.ThreadFactory.class)
            .contains(type);
  }

  private static Stream<Class<?>> exported() throws Exception {
    Path jar =
        Path.of(Controller.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream()
          .map(entry -> entry.getName().replace('/', '.'))
          .filter(name -> name.endsWith(".class") && !name.equals("module-info.class"))
          .filter(name -> !name.contains(".internal."))
          .map(name -> name.substring(0, name.length() - ".class".length()))
          .<Class<?>>map(CallbackTableTest::load)
          .filter(type -> Modifier.isPublic(type.getModifiers()))
          .toList()
          .stream();
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, /* initialize= */ false, Controller.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static Stream<String> parameters(Method method) {
    String owner = method.getDeclaringClass().getCanonicalName();
    String simple = owner.substring(method.getDeclaringClass().getPackageName().length() + 1);
    return Arrays.stream(method.getParameterTypes())
        .filter(CallbackTableTest::isUserCode)
        .map(type -> simple + "." + method.getName() + "(" + type.getSimpleName() + ")");
  }

  @Test
  void eachFunctionOfTheUser_isInTheTable() throws Exception {
    Set<String> found = new TreeSet<>();
    exported()
        // An instance method of a callback combines it with another one.
        .flatMap(
            type ->
                Arrays.stream(type.getDeclaredMethods())
                    .filter(method -> Modifier.isPublic(method.getModifiers()))
                    .filter(method -> !method.isSynthetic())
                    .filter(
                        method -> !type.isInterface() || Modifier.isStatic(method.getModifiers())))
        .flatMap(CallbackTableTest::parameters)
        .forEach(found::add);

    assertThat(found).containsExactlyInAnyOrderElementsOf(TABLE.keySet());
  }
}
