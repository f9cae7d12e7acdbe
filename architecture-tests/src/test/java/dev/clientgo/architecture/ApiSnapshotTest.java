package dev.clientgo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The exported types of each module are those of its {@code api.txt}, so that no change of the API
 * comes unseen: {@code -Dapi.update=true} writes the file again. After a release, {@code
 * api-released.txt} beside it is its copy of the release, and the changelog names whatever breaks
 * since.
 */
final class ApiSnapshotTest {

  private static final Pattern EXPORTS = Pattern.compile("(?m)^  exports ([a-z0-9.]+);");

  private static final Pattern TYPE = Pattern.compile("\\.(\\w+)(?:\\$\\w+)*: ");

  /** What another module sees of the classes below. */
  interface Before {
    String name();

    void set(String value);
  }

  interface MethodRemoved {
    String name();
  }

  interface MethodAdded {
    String name();

    void set(String value);

    int size();
  }

  interface DefaultMethodAdded {
    String name();

    void set(String value);

    default int size() {
      return 0;
    }
  }

  @NullMarked
  interface NullabilityChanged {
    @Nullable String name();

    void set(String value);
  }

  @TestFactory
  Stream<DynamicTest> module_hasTheApiOfItsFile() throws IOException {
    List<JavaClass> classes =
        new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.clientgo")
                .stream()
                .filter(JavaClass::isTopLevelClass)
                .toList();
    return ProjectFiles.find(ProjectFiles.ROOT, "module-info.java").stream()
        .map(file -> DynamicTest.dynamicTest(module(file).toString(), () -> check(file, classes)));
  }

  @Test
  void methodRemoved_breaks() {
    assertThat(changes(Before.class, MethodRemoved.class).breaking())
        .containsExactly("- dev.clientgo.T:   abstract void set(String)");
  }

  @Test
  void abstractMethodAdded_breaks() {
    assertThat(changes(Before.class, MethodAdded.class).breaking())
        .containsExactly("+ dev.clientgo.T:   abstract int size()");
  }

  @Test
  void nullabilityChanged_breaks() {
    assertThat(changes(Before.class, NullabilityChanged.class).breaking())
        .containsExactly(
            "- dev.clientgo.T:   abstract String name()",
            "+ dev.clientgo.T:   abstract @Nullable String name()");
  }

  @Test
  void defaultMethodAdded_isCompatible() {
    ApiChanges changes = changes(Before.class, DefaultMethodAdded.class);

    assertThat(changes.breaking()).isEmpty();
    assertThat(changes.compatible()).containsExactly("+ dev.clientgo.T:   default int size()");
  }

  private static ApiChanges changes(Class<?> before, Class<?> after) {
    return ApiChanges.between(ofOneName(before), ofOneName(after));
  }

  private static List<String> ofOneName(Class<?> type) {
    List<String> lines = ApiSnapshot.of(type);
    assertThat(lines).hasSizeGreaterThan(1);
    return Stream.concat(Stream.of("interface dev.clientgo.T"), lines.stream().skip(1)).toList();
  }

  private static void check(Path descriptor, List<JavaClass> classes) throws IOException {
    Set<String> packages =
        EXPORTS
            .matcher(Files.readString(descriptor))
            .results()
            .map(match -> match.group(1))
            .collect(Collectors.toSet());
    List<String> now =
        ApiSnapshot.of(
            classes.stream()
                .filter(type -> packages.contains(type.getPackageName()))
                .map(JavaClass::reflect));
    Path file = module(descriptor).resolve("api.txt");
    if (Boolean.getBoolean("api.update")) {
      Files.write(file, now);
    }

    ApiChanges changes = ApiChanges.between(Files.readAllLines(file), now);
    assertThat(changes.isEmpty())
        .as(
            "%s is not the API of the classes any more.%nBreaking: %s%nCompatible: %s%nIf that is meant, run this"
                + " test with -Dapi.update=true, and commit the file",
            file,
            String.join("\n  ", changes.breaking()),
            String.join("\n  ", changes.compatible()))
        .isTrue();
    Path released = file.resolveSibling("api-released.txt");
    if (Files.exists(released)) {
      assertThat(unexplained(ApiChanges.between(Files.readAllLines(released), now)))
          .as("breaking changes since the release whose types CHANGELOG.md does not name")
          .isEmpty();
    }
  }

  private static List<String> unexplained(ApiChanges changes) throws IOException {
    String changelog = Files.readString(ProjectFiles.ROOT.resolve("CHANGELOG.md"));
    String unreleased = changelog.split("(?m)^## \\[?\\d", -1)[0];
    return changes.breaking().stream()
        .filter(
            change -> {
              Matcher type = TYPE.matcher(change);
              return !type.find() || !unreleased.contains("`" + type.group(1));
            })
        .toList();
  }

  private static Path module(Path descriptor) {
    return descriptor.resolve("../../../..").normalize();
  }
}
