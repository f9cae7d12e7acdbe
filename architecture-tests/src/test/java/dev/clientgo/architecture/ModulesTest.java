package dev.clientgo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The tables of {@code docs/modules.md} say what the builds of the modules say. */
final class ModulesTest {

  private static final Path ROOT = Path.of("..");
  private static final Path PAGE = ROOT.resolve("docs/modules.md");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([a-z-]+)` \\| [^|]* \\| ([^|]*) \\|$");
  private static final Pattern PACKAGE =
      Pattern.compile("(?m)^\\| [a-z-]*? ?\\| `([a-zA-Z.]+)` \\| [^|]* \\|$");
  private static final Pattern EXPORT =
      Pattern.compile("(?m)^  exports dev\\.clientgo\\.(?:apimachinery\\.)?([a-z0-9.]+);");
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");

  @Test
  void dependencies_areThoseOfTheBuild() throws Exception {
    Matcher row = ROW.matcher(Files.readString(PAGE));
    int rows = 0;
    while (row.find()) {
      String module = row.group(1);
      if (!module.equals("bom")) {
        assertThat(names(row.group(2))).as(module).isEqualTo(ownDependencies(module));
        rows++;
      }
    }

    assertThat(rows).isGreaterThan(8);
  }

  @Test
  void program_getsTheJarsOfThePage() throws Exception {
    String page = Files.readString(PAGE);
    int begin = page.indexOf("\n## What a program gets");
    int end = page.indexOf("\nThe library logs", begin);
    String table = page.substring(page.indexOf("\n|", begin), end);
    // Tests have more on their class path, but all that a program gets.
    Set<String> here =
        Pattern.compile("[/\\\\]([a-z][a-z0-9_-]*?)-\\d[^/\\\\:;]*\\.jar")
            .matcher(
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")))
            .results()
            .map(match -> match.group(1))
            .collect(Collectors.toSet());

    Set<String> others = names(table.substring(table.indexOf("| others |")));

    assertThat(others).hasSizeGreaterThan(8);
    assertThat(here).containsAll(others);
    int jars = others.size() + names(table.substring(0, table.indexOf("| others |"))).size();
    assertThat(page).contains("a program gets " + jars + " jars of");
  }

  /** A published jar has a descriptor, and none but the plugin's is without. */
  @Test
  void jars_areModules() throws Exception {
    assertThat(ProjectFiles.find(ProjectFiles.ROOT, "pom.xml"))
        .filteredOn(pom -> isPublishedJar(pom) && !pom.toString().contains("samples"))
        .filteredOn(pom -> !Files.exists(pom.resolveSibling("src/main/java/module-info.java")))
        .map(pom -> ProjectFiles.ROOT.relativize(pom.getParent()).toString())
        .containsExactly("informers-gen/maven-plugin");
    for (Path descriptor : ProjectFiles.find(ProjectFiles.ROOT, "/main/java/module-info.java")) {
      assertThat(Files.readString(descriptor)).doesNotContainPattern("exports .*\\binternal\\b");
    }
  }

  /** The page has a row for each exported package; those of the built-in groups share one. */
  @Test
  void packages_areThoseThatModulesExport() throws Exception {
    Set<String> exported = new TreeSet<>();
    for (Path descriptor : ProjectFiles.find(ProjectFiles.ROOT, "/main/java/module-info.java")) {
      if (isPublishedJar(descriptor.resolve("../../../../pom.xml").normalize())) {
        EXPORT
            .matcher(Files.readString(descriptor))
            .results()
            .map(
                export ->
                    export
                        .group(1)
                        .replaceFirst(
                            "^(kubernetes(\\.alpha)?)\\.\\w+\\.v\\d\\w*", "$1.GROUP.VERSION"))
            .forEach(exported::add);
      }
    }

    assertThat(PACKAGE.matcher(Files.readString(PAGE)).results().map(row -> row.group(1)))
        .containsExactlyInAnyOrderElementsOf(exported);
  }

  private static boolean isPublishedJar(Path pom) {
    try {
      String text = Files.readString(pom);
      return !text.contains("<packaging>pom</packaging>")
          && !text.contains("<maven.deploy.skip>true</maven.deploy.skip>");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The floor plan names each module above those that it needs. */
  @Test
  void floorPlan_hasEachModuleAboveItsDependencies() throws Exception {
    String page = Files.readString(ROOT.resolve("docs/architecture.md"));
    int begin = page.indexOf("**The modules**:");
    String plan = page.substring(begin, page.indexOf("\n\n", begin));
    List<Set<String>> layers =
        Arrays.stream(plan.split("; then|\\. ", -1)).map(ModulesTest::names).toList();
    Map<String, Integer> layerOf = new HashMap<>();
    for (int i = 0; i < layers.size(); i++) {
      for (String module : layers.get(i)) {
        layerOf.putIfAbsent(module, i);
      }
    }
    Matcher row = ROW.matcher(Files.readString(PAGE));
    while (row.find()) {
      String module = row.group(1);
      if (!module.equals("bom")) {
        assertThat(layerOf).as("modules of docs/architecture.md").containsKey(module);
        for (String below : ownDependencies(module)) {
          if (!module.equals("tools-liveview")) { // A separate sentence names it.
            assertThat(layerOf.get(below))
                .as(module + " uses " + below)
                .isGreaterThan(layerOf.get(module));
          }
        }
      }
    }
  }

  private static Set<String> names(String text) {
    return NAME.matcher(text)
        .results()
        .map((MatchResult match) -> match.group(1))
        .filter(name -> !name.contains("("))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Reads which modules of the project a module needs, except for its tests. */
  private static Set<String> ownDependencies(String module) throws Exception {
    Element project =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(ROOT.resolve(module).resolve("pom.xml").toFile())
            .getDocumentElement();
    Set<String> own = new TreeSet<>();
    NodeList dependencies = project.getElementsByTagName("dependency");
    for (int i = 0; i < dependencies.getLength(); i++) {
      Element dependency = (Element) dependencies.item(i);
      boolean isOfTheModule =
          dependency.getParentNode().getParentNode() == project
              && text(dependency, "groupId").equals("dev.clientgo");
      if (isOfTheModule && !text(dependency, "scope").equals("test")) {
        own.add(text(dependency, "artifactId"));
      }
    }
    return own;
  }

  private static String text(Element element, String child) {
    NodeList found = element.getElementsByTagName(child);
    return found.getLength() == 0 ? "" : found.item(0).getTextContent().strip();
  }
}
