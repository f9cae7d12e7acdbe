package dev.clientgo.architecture;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.architecture.MarkdownPage.CodeBlock;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** Compiles blocks of pages, each as the body of a method. Not safe for use by many threads. */
final class BlockCompiler {

  /** The generated classes of this definition are those that docs/informers-gen.md shows. */
  private static final Path CRON_TABS =
      ProjectFiles.ROOT.resolve("informers-gen/src/test/resources/golden/crontab/java");

  /**
   * Not {@code dev.clientgo.kubernetes}, whose factory has the same name as that of the CronTabs.
   */
  private static final String IMPORTS =
      Stream.of(
              "com.example.api",
              "com.example.api.stable.v1",
              "dev.clientgo.apimachinery.labels",
              "dev.clientgo.apimachinery.meta",
              "dev.clientgo.apimachinery.meta.options",
              "dev.clientgo.apimachinery.resource",
              "dev.clientgo.apimachinery.schema",
              "dev.clientgo.apimachinery.sharding",
              "dev.clientgo.apimachinery.unstructured",
              "dev.clientgo.cache",
              "dev.clientgo.cache.SharedInformerFactory",
              "dev.clientgo.controller",
              "dev.clientgo.controller.predicate",
              "dev.clientgo.controller.scope",
              "dev.clientgo.crd",
              "dev.clientgo.kubernetes.apps.v1",
              "dev.clientgo.kubernetes.core.v1",
              "dev.clientgo.liveview",
              "dev.clientgo.rest",
              "dev.clientgo.rest.config",
              "dev.clientgo.rest.kubeconfig",
              "java.nio.file",
              "java.time",
              "java.util")
          .map(name -> "import " + name + ".*;")
          .collect(Collectors.joining(" ", "import dev.clientgo.controller.Result; ", ""));

  private final Path output;
  private final List<Block> blocks = new ArrayList<>();

  /** Creates a compiler that writes classes into a folder. */
  BlockCompiler(Path output) {
    this.output = output;
  }

  private static final class Block extends SimpleJavaFileObject {

    final String page;
    final CodeBlock block;
    private final String source;

    Block(int number, String page, CodeBlock block, String parameters) {
      super(URI.create("string:///Block" + number + ".java"), Kind.SOURCE);
      this.page = page;
      this.block = block;
      // The header is one line, in the place of the fence.
      source =
          "%s final class Block%d { void run(%s) throws Exception {%n%s%n}}"
              .formatted(IMPORTS, number, parameters, block.text());
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return source;
    }
  }

  /**
   * Adds a block.
   *
   * @param parameters what the block uses, as the parameters of a method
   */
  void add(String page, CodeBlock block, String parameters) {
    blocks.add(new Block(blocks.size(), page, block, parameters));
  }

  /** Compiles all blocks, and returns the errors, each with its page and line. */
  List<String> compile() throws IOException {
    if (blocks.isEmpty()) {
      return List.of();
    }
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    try (StandardJavaFileManager files = javac.getStandardFileManager(found, null, UTF_8)) {
      files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(output));
      files.setLocationFromPaths(StandardLocation.SOURCE_PATH, List.of(CRON_TABS));
      files.setLocationFromPaths(StandardLocation.CLASS_PATH, classPath());
      javac.getTask(null, files, found, List.of("-proc:none"), null, blocks).call();
    }
    return found.getDiagnostics().stream()
        .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
        .map(BlockCompiler::describe)
        .toList();
  }

  private static List<Path> classPath() {
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Stream.of(path.split(File.pathSeparator, -1))
        .filter(entry -> !entry.isEmpty())
        .map(Path::of)
        .filter(Files::exists)
        .toList();
  }

  private static String describe(Diagnostic<? extends JavaFileObject> diagnostic) {
    // The second line names the symbol that cannot be found.
    String text =
        diagnostic
            .getMessage(Locale.ROOT)
            .lines()
            .limit(2)
            .map(line -> line.replaceFirst("^ *symbol: +", "").strip())
            .collect(Collectors.joining(": "));
    if (diagnostic.getSource() instanceof Block block) {
      return block.page + ":" + (block.block.line() + diagnostic.getLineNumber() - 1) + ": " + text;
    }
    return text;
  }
}
