package dev.clientgo.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Holds the code to the floor plan in docs/architecture.md. */
final class FloorPlanTest {

  private static final String ROOT = "dev.clientgo.";

  /** The one module whose package is below that of another. */
  private static final String EMBEDDED_CONTROLLERS = "envtest.controllers";

  /** Each module by the package that it owns, and the modules that it may use. */
  private static final Map<String, Set<String>> MODULES =
      Map.ofEntries(
          entry("clock", Set.of()),
          entry("workqueue", Set.of("clock")),
          entry("apimachinery", Set.of("clock")),
          entry("cache", Set.of("clock", "apimachinery")),
          entry("liveview", Set.of("clock", "workqueue", "apimachinery", "cache")),
          entry("rest", Set.of("clock", "apimachinery")),
          entry("kubectl", Set.of("clock", "apimachinery", "rest")),
          entry("gen", Set.of("clock", "apimachinery", "rest")),
          entry("crd", Set.of("apimachinery")),
          entry("kubernetes", Set.of("clock", "apimachinery", "cache", "rest")),
          entry("events", Set.of("clock", "apimachinery", "rest", "kubernetes")),
          entry("remotecommand", Set.of("clock", "apimachinery", "cache", "rest", "kubernetes")),
          entry("leaderelection", Set.of("clock", "apimachinery", "cache", "rest", "kubernetes")),
          entry(
              "controller",
              Set.of(
                  "clock",
                  "workqueue",
                  "apimachinery",
                  "cache",
                  "rest",
                  "kubernetes",
                  "events",
                  "leaderelection")),
          entry("envtest", Set.of("clock", "apimachinery", "cache", "rest")),
          entry(
              EMBEDDED_CONTROLLERS,
              Set.of(
                  "clock",
                  "workqueue",
                  "apimachinery",
                  "cache",
                  "rest",
                  "kubernetes",
                  "events",
                  "controller",
                  "envtest")),
          entry("opentelemetry", Set.of("clock", "apimachinery", "rest", "controller")),
          entry(
              "spring",
              Set.of("clock", "cache", "rest", "kubernetes", "leaderelection", "controller")),
          entry(
              "simulation",
              Set.of(
                  "clock",
                  "workqueue",
                  "apimachinery",
                  "cache",
                  "rest",
                  "kubernetes",
                  "controller",
                  "envtest")));

  /** How many files a room has at most. */
  private static final int MOST_FILES = 45;

  /** The rooms that are still too deep, and their layers: the numbers may only fall. */
  private static final Map<String, Integer> TOO_DEEP =
      Map.ofEntries(
          Map.entry("dev.clientgo.apimachinery.json", 17),
          Map.entry("dev.clientgo.apimachinery.meta", 7),
          Map.entry("dev.clientgo.apimachinery.serializer", 9),
          Map.entry("dev.clientgo.cache", 12),
          Map.entry("dev.clientgo.controller", 18),
          Map.entry("dev.clientgo.controller.internal.debug", 7),
          Map.entry("dev.clientgo.controller.webhook", 7),
          Map.entry("dev.clientgo.envtest.internal.http", 7),
          Map.entry("dev.clientgo.kubectl", 7),
          Map.entry("dev.clientgo.leaderelection", 8),
          Map.entry("dev.clientgo.leaderelection.shard", 11),
          Map.entry("dev.clientgo.remotecommand.portforward", 9),
          Map.entry("dev.clientgo.rest.discovery", 8),
          Map.entry("dev.clientgo.rest.internal.auth", 8),
          Map.entry("dev.clientgo.rest.kubeconfig", 12),
          Map.entry("dev.clientgo.simulation", 11),
          Map.entry("dev.clientgo.simulation.internal.threads", 8),
          Map.entry("dev.clientgo.simulation.internal.traffic", 7),
          Map.entry("dev.clientgo.workqueue", 14));

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.clientgo");

  /** The import reads each module: a rule about classes that are not there would hold. */
  @Test
  void import_findsEachModule() {
    Set<String> found = CLASSES.stream().map(FloorPlanTest::module).collect(Collectors.toSet());

    assertThat(found).containsExactlyInAnyOrderElementsOf(MODULES.keySet());
  }

  @Test
  void modules_useOnlyWhatIsBelowThem() {
    check(
        "use only the modules that the floor plan allows",
        (user, used) ->
            module(user).equals(module(used)) || MODULES.get(module(user)).contains(module(used)));
  }

  @Test
  void internalPackages_areUsedByTheirOwnModuleAlone() {
    check(
        "use only internal packages of their own module",
        (user, used) ->
            !used.getPackageName().contains(".internal") || module(user).equals(module(used)));
  }

  @Test
  void packages_haveNoCycles() {
    slices().matching("dev.clientgo.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  /** Waits and random numbers are injected, so that each test can decide them. */
  @Test
  void clock_isReadInSystemClockAlone() {
    ArchRule rule =
        noClasses()
            .that()
            .doNotHaveSimpleName("SystemClock")
            .should()
            .callMethodWhere(
                DescribedPredicate.describe(
                    "it reads the machine's clock or sleeps",
                    call ->
                        Set.of(
                                "java.lang.System.nanoTime",
                                "java.lang.System.currentTimeMillis",
                                "java.lang.Thread.sleep",
                                "java.time.Instant.now",
                                "java.time.ZonedDateTime.now",
                                "java.lang.Math.random")
                            .contains(
                                call.getTargetOwner().getName()
                                    + "."
                                    + call.getTarget().getName())));
    rule.check(CLASSES);
  }

  /** Rooms stay small enough to be read in one sitting. */
  @Test
  void rooms_areSmall() {
    Map<String, Long> files =
        CLASSES.stream()
            .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
            .filter(type -> !module(type).equals("kubernetes")) // Generated: a file for each type.
            .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
    Set<String> tooLarge = new TreeSet<>();
    files.forEach(
        (name, count) -> {
          if (count > MOST_FILES) {
            tooLarge.add(name + " has " + count + " files");
          }
        });

    assertThat(tooLarge).isEmpty();
  }

  /**
   * Rooms are shallow: a reader who goes from a class to one that it uses is at the bottom after a
   * few steps. A circle counts with all its files, so that breaking one never makes a room deeper.
   */
  @Test
  void rooms_areShallow() {
    Map<String, List<JavaClass>> rooms =
        CLASSES.stream()
            .filter(type -> !module(type).equals("kubernetes"))
            .collect(Collectors.groupingBy(JavaClass::getPackageName));
    Set<String> tooDeep = new TreeSet<>();
    rooms.forEach(
        (name, types) -> {
          int layers = new Layers(types).count();
          if (layers > TOO_DEEP.getOrDefault(name, 6)) {
            tooDeep.add(name + " has " + layers + " layers");
          }
        });

    assertThat(tooDeep).isEmpty();
  }

  /** A logger is called {@code LOG}, in every class. */
  @Test
  void loggers_areCalledLog() {
    Set<String> others =
        CLASSES.stream()
            .flatMap(type -> type.getFields().stream())
            .filter(field -> field.getRawType().isEquivalentTo(System.Logger.class))
            .filter(field -> field.getModifiers().contains(JavaModifier.STATIC))
            .filter(field -> !field.getName().equals("LOG"))
            .map(field -> field.getFullName())
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(others).isEmpty();
  }

  /** Says whether one of our classes may use another. */
  private interface Allowed {
    boolean mayUse(JavaClass user, JavaClass used);
  }

  private static void check(String description, Allowed allowed) {
    ArchCondition<JavaClass> condition =
        new ArchCondition<>(description) {
          @Override
          public void check(JavaClass user, ConditionEvents events) {
            for (Dependency dependency : user.getDirectDependenciesFromSelf()) {
              JavaClass used = dependency.getTargetClass();
              if (isOurs(used) && !allowed.mayUse(user, used)) {
                events.add(SimpleConditionEvent.violated(user, dependency.getDescription()));
              }
            }
          }
        };
    classes().should(condition).check(CLASSES);
  }

  private static boolean isOurs(JavaClass type) {
    return type.getPackageName().startsWith(ROOT);
  }

  private static String module(JavaClass type) {
    String name = type.getPackageName().substring(ROOT.length());
    if (name.startsWith(EMBEDDED_CONTROLLERS)) {
      return EMBEDDED_CONTROLLERS;
    }
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }
}
