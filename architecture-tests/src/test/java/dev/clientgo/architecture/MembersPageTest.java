package dev.clientgo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each type, field and method that docs/members.md leads to is there. */
final class MembersPageTest {

  private static final Pattern ROW = Pattern.compile("(?m)^\\| [^|]+ \\| ([^|]+) \\| ([^|]+) \\|$");
  private static final Pattern TARGET =
      Pattern.compile("`([A-Z]\\w+(?:\\.[A-Z]\\w+)?)(?:\\.([a-z]\\w*))?`");

  @Test
  void targets_exist() throws Exception {
    Map<String, Set<String>> members =
        new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.clientgo")
                .stream()
                .filter(type -> !type.getPackageName().startsWith("dev.clientgo.envtest"))
                .collect(
                    Collectors.toMap(
                        MembersPageTest::name, MembersPageTest::members, MembersPageTest::both));
    List<String> targets =
        ROW.matcher(Files.readString(ProjectFiles.ROOT.resolve("docs/members.md")))
            .results()
            .flatMap(row -> TARGET.matcher(row.group(1)).results())
            .map(target -> target.group(1) + (target.group(2) == null ? "" : "." + target.group(2)))
            .toList();

    assertThat(targets).hasSizeGreaterThan(90);
    assertThat(targets)
        .filteredOn(
            target -> {
              String type = target.replaceFirst("\\.[a-z]\\w*$", "");
              return !members.containsKey(type)
                  || (!type.equals(target)
                      && !members.get(type).contains(target.substring(type.length() + 1)));
            })
        .as("targets that are not there")
        .isEmpty();
  }

  /** The name of a type as source code has it, without the package. */
  private static String name(JavaClass type) {
    return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
  }

  private static Set<String> members(JavaClass type) {
    return Stream.concat(type.getFields().stream(), type.getMethods().stream())
        .map(member -> member.getName())
        .collect(Collectors.toSet());
  }

  private static Set<String> both(Set<String> a, Set<String> b) {
    return Stream.concat(a.stream(), b.stream()).collect(Collectors.toSet());
  }
}
