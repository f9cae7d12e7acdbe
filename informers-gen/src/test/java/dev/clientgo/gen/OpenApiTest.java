package dev.clientgo.gen;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.FakeClock;
import dev.clientgo.gen.cli.InformersGen;
import dev.clientgo.gen.internal.model.BuiltInSchema;
import dev.clientgo.gen.report.Report;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OpenAPI v3 as input: a file, a server that publishes it, and a schema file made of it. */
final class OpenApiTest {

  private static final Path SHOP = Path.of("src/test/resources/openapi/shop.json");
  private static final String ORDER = "com.example.api.example.shop.v1.Order";

  private static final String DISCOVERY =
      """
      {"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "items": [
        {"metadata": {"name": "shop.example.io"}, "versions": [{"version": "v1", "resources": [
          {"resource": "orders", "responseKind": {"group": "", "version": "", "kind": "Order"}, "scope": "Namespaced",
           "singularResource": "order", "verbs": ["create", "get", "list", "update", "watch"], "shortNames": ["ord"]}]}]}]}
      """;

  @TempDir private Path folder;

  private static Generation fromFile() {
    return Generator.builder("com.example.api").input(SHOP).build().generate();
  }

  @Test
  void generate_file_givesItsKindsAndWhatTheyNeed() {
    Generation generation = fromFile();

    assertThat(generation.report().problems()).isEmpty();
    assertThat(generation.files().keySet())
        .filteredOn(file -> file.contains("/shop/"))
        .extracting(file -> file.substring(file.lastIndexOf('/') + 1))
        .containsExactlyInAnyOrder(
            "Cancellation.java",
            "Line.java",
            "Order.java",
            "OrderSpec.java",
            "Shop.java",
            "package-info.java");
    assertThat(generation.report().fallbacks())
        .extracting(Report.Problem::text)
        .containsExactly(
            "refers to \"io.example.shop.v1.Missing\", which is not in the input: kept as JSON");
    String clientset = generation.files().get("com/example/api/Clientset.java");
    assertThat(clientset).contains("orders()", "orders(String namespace)", "shops()");
    assertThat(clientset).doesNotContain("shops(String namespace)");
  }

  @Test
  void generate_file_keepsEveryField() throws IOException {
    Compiled compiled = Compiled.of(fromFile());
    String order =
        """
        {"apiVersion":"shop.example.io/v1","kind":"Order","metadata":{"name":"a"},"spec":{"lines":[{"what":"tea","count":2}],\
        "gift":{"lines":[]},"due":"2026-01-31T12:00:00Z","weight":"1.50","note":"x","lost":{"and":["found"]}}}\
        """;

    assertThat(compiled.roundTrip(ORDER, order)).isEqualTo(order);
  }

  /** A list of itself and a map of itself: only a structure has a class that can be in itself. */
  @Test
  void generate_namedListOfItself_isJson() throws IOException {
    Path trees = folder.resolve("trees.json");
    String schemas = "\"schemas\": {";
    String tree =
        """
        "io.example.shop.v1.Missing": {"type": "array", "items": {"type": "object", "additionalProperties":
          {"$ref": "#/components/schemas/io.example.shop.v1.Missing"}}},
        """;
    Files.writeString(trees, Files.readString(SHOP).replace(schemas, schemas + tree));

    Generation generation = Generator.builder("com.example.api").input(trees).build().generate();

    assertThat(generation.report().problems()).isEmpty();
    assertThat(generation.report().fallbacks())
        .extracting(Report.Problem::text)
        .containsExactly("is part of itself, and has no class that could be: kept as JSON");
    Compiled compiled = Compiled.of(generation);
    String order =
        """
        {"apiVersion":"shop.example.io/v1","kind":"Order","metadata":{"name":"a"},"spec":{"lost":[{"a":[{"b":[]}]}]}}\
        """;
    assertThat(compiled.roundTrip(ORDER, order)).isEqualTo(order);
  }

  @Test
  void generate_badReferencesAndSchemas_spoilNothingElse() throws IOException {
    Path bad = folder.resolve("bad.json");
    Files.writeString(bad, "{\"openapi\": \"3.0.0\", \"paths\": {}}", UTF_8);

    Generation generation =
        Generator.builder("com.example.api").input(bad).input(SHOP).build().generate();

    assertThat(generation.report().problems().stream().map(Report.Problem::toString))
        .containsExactly(bad + ":1: $: needs components.schemas");
    assertThat(generation.report().generated()).hasSize(2);
  }

  @Test
  void generate_runningServer_givesTheSameAsItsFiles() throws Exception {
    try (Server server = new Server()) {
      Generation generation =
          Generator.builder("com.example.api")
              .server(server.kubeconfig(folder), null)
              .build()
              .generate();

      assertThat(generation.report().problems()).isEmpty();
      assertThat(generation.files()).isEqualTo(fromFile().files());
    }
  }

  private static int run(StringWriter err, String... arguments) {
    return InformersGen.commandLine().setErr(new PrintWriter(err, true)).execute(arguments);
  }

  @Test
  void distill_runningServer_makesAFileThatGivesTheSame() throws Exception {
    Path file = folder.resolve("api.json");
    StringWriter err = new StringWriter();
    try (Server server = new Server()) {
      int code =
          run(
              err,
              "distill",
              "--kubeconfig",
              server.kubeconfig(folder).toString(),
              "--output",
              file.toString());
      assertThat(code).as(err.toString()).isZero();
    }

    assertThat(file).content().contains("\"source\": \"v1.2.3\"", "\"shortNames\": [\"ord\"]");
    assertThat(file).content().doesNotContain("An order.");
    // It shows whether Go has a struct or a pointer.
    assertThat(file).content().contains("meta.v1.ObjectMeta\", \"default\": {}}");
    Generation generation = Generator.builder("com.example.api").input(file).build().generate();
    assertThat(generation.report().problems()).isEmpty();
    assertThat(generation.files().keySet()).isEqualTo(fromFile().files().keySet());
    // The pattern of a quantity and a maximum above an int's decide about the type.
    assertThat(generation.files().get("com/example/api/example/shop/v1/Line.java"))
        .contains("@Nullable Long number", "@Nullable Quantity weight");
    assertThat(err.toString()).contains("2 resources, ");
  }

  @Test
  void distill_besideKubernetes_leavesOutItsKindsAndTypes() throws IOException {
    Path kubernetes = folder.resolve("kubernetes.json");
    Files.writeString(kubernetes, BuiltInSchema.text(), UTF_8);
    Path file = folder.resolve("api.json");
    StringWriter err = new StringWriter();

    int code =
        run(
            err,
            "distill",
            "--beside-kubernetes",
            "--output",
            file.toString(),
            kubernetes.toString(),
            SHOP.toString());

    assertThat(code).as(err.toString()).isZero();
    assertThat(err.toString()).contains("2 resources, ");
    assertThat(file).content().contains("io.example.shop.v1.Order").doesNotContain("io.k8s.api.");
  }

  @Test
  void distill_crd_isAProblem() {
    StringWriter err = new StringWriter();

    int code =
        run(
            err,
            "distill",
            "--output",
            folder.resolve("api.json") + "",
            "src/test/resources/golden/crontab/crd.yaml");

    assertThat(code).isEqualTo(1);
    assertThat(err.toString()).contains("CronTab (stable.example.com/v1) is left out");
  }

  @Test
  void distill_ofNoResource_isAProblem() {
    StringWriter err = new StringWriter();

    int code = run(err, "distill", "--output", folder.resolve("api.json") + "", folder + "");

    assertThat(code).isEqualTo(1);
    assertThat(err.toString()).contains("error: the input has no resource");
  }

  @Test
  void generate_nobodyListens_saysSoInOneLine() throws Exception {
    StringWriter err = new StringWriter();
    int code;
    // A port that is taken and not listened on refuses, and no other process gets it meanwhile.
    try (Socket taken = new Socket()) {
      taken.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0));
      code =
          InformersGen.commandLine(InputStream.nullInputStream(), FakeClock.create())
              .setErr(new PrintWriter(err, true))
              .execute(
                  "generate",
                  "--dry-run",
                  "--package",
                  "com.example",
                  "--kubeconfig",
                  kubeconfig(folder, taken.getLocalPort()).toString());
    }

    assertThat(code).isEqualTo(1);
    assertThat(err.toString()).startsWith("error: ").contains("127.0.0.1");
    assertThat(err.toString().strip().lines()).hasSize(1);
  }

  private static Path kubeconfig(Path folder, int port) throws IOException {
    return Files.writeString(
        folder.resolve("kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        current-context: c
        contexts: [{name: c, context: {cluster: c, user: u}}]
        clusters: [{name: c, cluster: {server: "http://127.0.0.1:%s"}}]
        users: [{name: u, user: {}}]
        """
            .formatted(port),
        UTF_8);
  }

  /** The part of an API server that the generator reads. */
  private static final class Server implements AutoCloseable {

    private final MockWebServer http = new MockWebServer();

    Server() throws IOException {
      Map<String, String> answers =
          Map.of(
              "/api",
              "{\"kind\": \"APIGroupDiscoveryList\", \"items\": []}",
              "/apis",
              DISCOVERY,
              "/version",
              "{\"gitVersion\": \"v1.2.3\"}",
              "/openapi/v3",
              "{\"paths\": {\"apis/shop.example.io/v1\": {\"serverRelativeURL\":"
                  + " \"/openapi/v3/apis/shop.example.io/v1?hash=A\"}, \"version\":"
                  + " {\"serverRelativeURL\": \"/not/asked/for\"}}}",
              "/openapi/v3/apis/shop.example.io/v1?hash=A",
              Files.readString(SHOP));
      http.setDispatcher(
          new Dispatcher() {
            @Override
            public MockResponse dispatch(RecordedRequest request) {
              String answer = answers.get(request.getTarget());
              return new MockResponse.Builder()
                  .code(answer == null ? 404 : 200)
                  .setHeader("Content-Type", "application/json")
                  .body(answer == null ? "" : answer)
                  .build();
            }
          });
      http.start();
    }

    Path kubeconfig(Path folder) throws IOException {
      return OpenApiTest.kubeconfig(folder, http.getPort());
    }

    @Override
    public void close() {
      try {
        http.close();
      } catch (AssertionError e) {
        // It gives its threads five seconds, which a machine that stalls may not have.
        System.err.println(e.getMessage());
      }
    }
  }
}
