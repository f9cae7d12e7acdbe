package dev.clientgo.gen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.clientgo.gen.internal.document.Documents;
import dev.clientgo.gen.internal.schema.Catalog;
import dev.clientgo.gen.internal.schema.DefinitionReader;
import dev.clientgo.gen.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Holds the generator to the CRDs of others: {@code -Dcorpus=FOLDER}. The definitions in one folder
 * of that folder is generated together, compiled without a warning, and keeps all fields of a
 * sample.
 */
@EnabledIfSystemProperty(named = "corpus", matches = ".+")
final class CorpusTest {

  @TestFactory
  Stream<DynamicTest> generate_corpus_compilesAndKeepsEveryField() throws IOException {
    try (Stream<Path> children = Files.list(Path.of(System.getProperty("corpus")))) {
      List<Path> sorted = children.filter(Files::isDirectory).sorted().toList();
      return sorted.stream()
          .map(path -> dynamicTest(path.getFileName().toString(), () -> check(path)));
    }
  }

  private static void check(Path path) {
    Generation generation = Generator.builder("com.example.api").input(path).build().generate();
    Documents documents = new Documents(problem -> {});
    documents.read(path);
    Report.Builder report = new Report.Builder();
    Catalog catalog = new Catalog(report);
    new DefinitionReader(catalog, report).addAll(documents.roots());

    assertThat(generation.report().problems()).isEmpty();
    RoundTrips.check(generation, catalog.resources());
    System.out.println(path.getFileName() + ": " + generation.report().summary());
  }
}
