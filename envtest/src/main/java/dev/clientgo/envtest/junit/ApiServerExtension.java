package dev.clientgo.envtest.junit;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.ListerWatcher;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.envtest.Permissions;
import dev.clientgo.envtest.junit.ApiServerTest.Server;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RestConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Starts the server of {@link ApiServerTest} and resolves the parameters of tests. JUnit closes
 * factories and clients and deletes namespaces after their test, and stops the server after the
 * last test.
 */
public final class ApiServerExtension
    implements ExecutionCondition, BeforeAllCallback, BeforeEachCallback, ParameterResolver {

  /** The system property that chooses the server: {@value}. */
  public static final String PROPERTY = "clientgo.apiserver";

  private static final String EMBEDDED = "embedded";
  private static final String REAL = "real";

  private static final Namespace KEPT = Namespace.create(ApiServerExtension.class);

  private static final ResourceType<Unstructured> NAMESPACES =
      Unstructured.type(new GroupVersionKind("", "v1", "Namespace"), "namespaces", false);

  /** By name, since the module of informers need not be there. */
  private static final String FACTORY = "dev.clientgo.cache.SharedInformerFactory";

  /** The server of a test run, and the number of namespaces that it has had. */
  private record Shared(ApiServer server, AtomicInteger namespaces) implements AutoCloseable {

    @Override
    public void close() {
      server.close();
    }
  }

  /** A namespace of one test. */
  private record Lent(ApiServer server, String name) implements AutoCloseable {

    @Override
    public void close() {
      try {
        server.deleteNamespace(name);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // The test run ends, and the server with it.
      }
    }
  }

  /** A client with the permissions of a role, and what it has done in one test. */
  private record Restricted(RESTClient client, Permissions permissions) implements AutoCloseable {

    private static Restricted of(EmbeddedApiServer server, String namespace, String... manifests) {
      RestConfig config =
          server.enforce(Arrays.stream(manifests).map(Path::of).toArray(Path[]::new));
      return new Restricted(
          RESTClient.create(config), server.permissions(config).anywhere(namespace));
    }

    @Override
    public void close() {
      client.close();
      try {
        permissions.assertSufficient();
      } finally {
        permissions.clear();
      }
    }
  }

  /** The kubeconfig of one test. */
  private record KubeconfigFile(Path path) implements AutoCloseable {

    @Override
    public void close() throws IOException {
      Files.deleteIfExists(path);
    }
  }

  /** The informers of one test. A separate class, loaded by tests that have informers. */
  private record Informers(SharedInformerFactory factory) implements AutoCloseable {

    private static Informers of(RESTClient client) {
      return new Informers(SharedInformerFactory.builder(new Source(client)).build());
    }

    @Override
    public void close() {
      factory.close();
    }
  }

  private record Source(RESTClient client) implements SharedInformerFactory.Source {

    @Override
    public <T extends KubernetesObject> ListerWatcher<T> listerWatcher(
        ResourceType<T> type, String namespace, ListOptions selectors) {
      ResourceClient<T> all = client.resource(type);
      ResourceClient<T> part = namespace.isEmpty() ? all : all.inNamespace(namespace);
      return ListWatch.<T>of(part::list, part::watch)
          .filtered(
              options ->
                  options.toBuilder()
                      .labelSelector(selectors.labelSelector())
                      .fieldSelector(selectors.fieldSelector())
                      .build());
    }
  }

  /** Creates the extension; JUnit calls this. */
  public ApiServerExtension() {}

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return server(context) == Server.REAL && !KubeApiServer.isAvailable()
        ? ConditionEvaluationResult.disabled("no kube-apiserver: envtest/kube-apiserver/build")
        : ConditionEvaluationResult.enabled("the API server is there");
  }

  @Override
  public void beforeAll(ExtensionContext context) throws InterruptedException {
    installCrds(context);
  }

  @Override
  public void beforeEach(ExtensionContext context) throws InterruptedException {
    if (annotation(context).filter(ApiServerTest::reset).isPresent()) {
      shared(context).server.reset();
      installCrds(context);
    }
  }

  private static void installCrds(ExtensionContext context) throws InterruptedException {
    Path[] crds =
        annotation(context).stream()
            .flatMap(test -> Arrays.stream(test.crds()))
            .map(Path::of)
            .toArray(Path[]::new);
    if (crds.length > 0) {
      shared(context).server.installCrds(crds);
    }
  }

  private static Server server(ExtensionContext context) {
    return annotation(context).map(ApiServerTest::server).orElse(Server.CHOSEN);
  }

  /** Returns the annotation of the class of the test, or of the class around it. */
  private static Optional<ApiServerTest> annotation(ExtensionContext context) {
    Class<?> type = context.getRequiredTestClass();
    Optional<ApiServerTest> found = AnnotationSupport.findAnnotation(type, ApiServerTest.class);
    while (found.isEmpty() && type.getEnclosingClass() != null) {
      type = type.getEnclosingClass();
      found = AnnotationSupport.findAnnotation(type, ApiServerTest.class);
    }
    return found;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == RESTClient.class
        || type == RestConfig.class
        || ApiServer.class.isAssignableFrom(type)
        || type.getName().equals(FACTORY)
        || (type == String.class && parameter.isAnnotated(TestNamespace.class))
        || (type == Path.class && parameter.isAnnotated(TestKubeconfig.class));
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    Optional<TestRole> role = parameter.findAnnotation(TestRole.class);
    if (type == RESTClient.class && role.isPresent()) {
      return restricted(context, role.get());
    } else if (type == RESTClient.class) {
      return client(context);
    } else if (type == RestConfig.class) {
      return shared(context).server.restConfig();
    } else if (type == String.class) {
      return namespace(context);
    } else if (type == Path.class) {
      return kubeconfig(context);
    } else if (type.getName().equals(FACTORY)) {
      return informers(context);
    }
    return server(context, type);
  }

  private static Object server(ExtensionContext context, Class<?> type) {
    ApiServer server = shared(context).server;
    if (!type.isInstance(server)) {
      throw new ParameterResolutionException(
          "the test needs a %s, but runs against a %s, chosen by %s"
              .formatted(
                  type.getSimpleName(),
                  server.getClass().getSimpleName(),
                  server(context) == Server.CHOSEN
                      ? "-D" + PROPERTY + "=" + System.getProperty(PROPERTY)
                      : "@ApiServerTest"));
    }
    return server;
  }

  /**
   * Keeps a value until the context ends, and closes it then. The method is the one that JUnit 5
   * has, too; JUnit 6 has a newer one beside it.
   */
  @SuppressWarnings("deprecation")
  private static <V> V keep(
      ExtensionContext context, Object key, Class<V> type, Supplier<V> create) {
    return requireNonNull(
        context.getStore(KEPT).getOrComputeIfAbsent(key, any -> create.get(), type));
  }

  private static <V> V keep(ExtensionContext context, Class<V> type, Supplier<V> create) {
    return keep(context, type, type, create);
  }

  private static Shared shared(ExtensionContext context) {
    String wanted =
        switch (server(context)) {
          case CHOSEN -> System.getProperty(PROPERTY, EMBEDDED);
          case EMBEDDED -> EMBEDDED;
          case REAL -> REAL;
        };
    return keep(
        context.getRoot(),
        wanted,
        Shared.class,
        () -> new Shared(start(wanted), new AtomicInteger()));
  }

  private static ApiServer start(String wanted) {
    return switch (wanted) {
      case EMBEDDED -> EmbeddedApiServer.start();
      case REAL -> startReal();
      default ->
          throw new IllegalArgumentException(
              "-D%s=%s: expected embedded or real".formatted(PROPERTY, wanted));
    };
  }

  private static ApiServer startReal() {
    try {
      return KubeApiServer.start();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the kube-apiserver started", e);
    }
  }

  // JUnit closes what is kept in reverse order, so what another needs must be kept before it.

  private static RESTClient client(ExtensionContext context) {
    return keep(
        context, RESTClient.class, () -> RESTClient.create(shared(context).server.restConfig()));
  }

  private static RESTClient restricted(ExtensionContext context, TestRole role) {
    EmbeddedApiServer server = (EmbeddedApiServer) server(context, EmbeddedApiServer.class);
    String namespace = namespace(context);
    return keep(context, Restricted.class, () -> Restricted.of(server, namespace, role.value()))
        .client;
  }

  private static Object informers(ExtensionContext context) {
    RESTClient client = client(context);
    return keep(context, Informers.class, () -> Informers.of(client)).factory;
  }

  private static Path kubeconfig(ExtensionContext context) {
    return keep(context, KubeconfigFile.class, () -> write(shared(context).server)).path;
  }

  private static KubeconfigFile write(ApiServer server) {
    try {
      Path file = Files.createTempFile("clientgo-envtest-", ".kubeconfig");
      server.writeKubeconfig(file);
      return new KubeconfigFile(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a file for the kubeconfig", e);
    }
  }

  private static String namespace(ExtensionContext context) {
    RESTClient client = client(context);
    return keep(context, Lent.class, () -> lend(shared(context), client)).name;
  }

  private static Lent lend(Shared shared, RESTClient client) {
    String name = "test-" + shared.namespaces.incrementAndGet();
    ResourceClient<Unstructured> namespaces = client.resource(NAMESPACES);
    try {
      namespaces.create(
          Unstructured.of(Map.of("metadata", Map.of("name", name))).withType("v1", "Namespace"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ParameterResolutionException("interrupted while the namespace was created", e);
    }
    return new Lent(shared.server, name);
  }
}
