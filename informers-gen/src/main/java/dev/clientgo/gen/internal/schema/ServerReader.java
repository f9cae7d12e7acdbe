package dev.clientgo.gen.internal.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.gen.internal.document.InputException;
import dev.clientgo.gen.internal.document.Node;
import dev.clientgo.gen.internal.document.TreeReader;
import dev.clientgo.gen.report.Report;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.discovery.OpenAPIClient;
import dev.clientgo.rest.discovery.OpenAPIGroupVersion;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads discovery and OpenAPI v3 of a running API server: of the built-in groups and of all CRDs.
 */
public final class ServerReader {

  private static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

  private final RESTClient client;

  private ServerReader(RESTClient client) {
    this.client = client;
  }

  /**
   * Reads a server.
   *
   * @param kubeconfig where it is, null for the usual files
   * @param texts takes each document with its name
   * @return the version of the server
   */
  public static String read(
      @Nullable Path kubeconfig,
      @Nullable String context,
      BiConsumer<String, String> texts,
      Consumer<Report.Problem> problems)
      throws InterruptedException {
    RestConfig config = KubeConfigLoader.builder().file(kubeconfig).context(context).build().load();
    try (RESTClient client = RESTClient.create(config)) {
      return new ServerReader(client).read(texts, problems);
    }
  }

  private String read(BiConsumer<String, String> texts, Consumer<Report.Problem> problems)
      throws InterruptedException {
    texts.accept("/api", get("/api", AGGREGATED));
    texts.accept("/apis", get("/apis", AGGREGATED));
    for (Map.Entry<String, OpenAPIGroupVersion> path :
        OpenAPIClient.of(client).paths().entrySet()) {
      // api/v1 and apis/GROUP/VERSION describe resources; the rest describes the server itself.
      if (path.getKey().matches("api/[^/]+|apis/[^/]+/[^/]+")) {
        try {
          byte[] document = path.getValue().schema(OpenAPIClient.JSON);
          texts.accept(path.getKey(), new String(document, UTF_8));
        } catch (KubernetesException e) {
          problems.accept(new Report.Problem(path.getKey(), 0, "", String.valueOf(e.getMessage())));
        }
      }
    }
    return String.valueOf(tree("/version").string("gitVersion"));
  }

  private Node tree(String path) throws InterruptedException {
    Node[] root = new Node[1];
    TreeReader.json(
        path,
        get(path, "application/json"),
        node -> root[0] = node,
        problem -> {
          throw new InputException(problem);
        });
    return root[0];
  }

  private String get(String uri, String accept) throws InterruptedException {
    return new String(client.get().requestURI(uri).header("Accept", accept).execute().raw(), UTF_8);
  }
}
