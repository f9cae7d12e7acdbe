package dev.clientgo.envtest.junit;

import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Starts the server of {@link ApiServerTest} and resolves the parameters of tests. JUnit closes a
 * client and deletes a namespace after their test, and stops the server after the last test.
 */
public final class ApiServerExtension implements BeforeAllCallback, ParameterResolver {

  /** The system property that chooses the server: {@value}. */
  public static final String PROPERTY = "clientgo.apiserver";

  private static final Namespace KEPT = Namespace.create(ApiServerExtension.class);

  private static final ResourceType<Unstructured> NAMESPACES =
      Unstructured.type(new GroupVersionKind("", "v1", "Namespace"), "namespaces", false);

  /** The server of a test run, and the number of namespaces that it has had. */
  private record Shared(ApiServer server, AtomicInteger namespaces) implements AutoCloseable {

    @Override
    public void close() {
      server.close();
    }
  }

  /** A namespace of one test. */
  private record Lent(RESTClient client, String name) implements AutoCloseable {

    @Override
    public void close() {
      try {
        client.resource(NAMESPACES).deleteIfExists(name);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // The test run ends, and the server with it.
      }
    }
  }

  /** Creates the extension; JUnit calls this. */
  public ApiServerExtension() {}

  @Override
  public void beforeAll(ExtensionContext context) throws InterruptedException {
    Optional<ApiServerTest> test =
        AnnotationSupport.findAnnotation(context.getRequiredTestClass(), ApiServerTest.class);
    Path[] crds =
        test.stream().flatMap(it -> Arrays.stream(it.crds())).map(Path::of).toArray(Path[]::new);
    if (crds.length > 0) {
      shared(context).server.installCrds(crds);
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == RESTClient.class
        || ApiServer.class.isAssignableFrom(type)
        || (type == String.class && parameter.isAnnotated(TestNamespace.class));
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    if (type == RESTClient.class) {
      return client(context);
    } else if (type == String.class) {
      return namespace(context);
    }
    ApiServer server = shared(context).server;
    if (!type.isInstance(server)) {
      throw new ParameterResolutionException(
          "the test needs a %s, but runs against a %s: leave out -D%s=%s"
              .formatted(
                  type.getSimpleName(),
                  server.getClass().getSimpleName(),
                  PROPERTY,
                  System.getProperty(PROPERTY)));
    }
    return server;
  }

  private static Shared shared(ExtensionContext context) {
    Store ofRun = context.getRoot().getStore(KEPT);
    return ofRun.computeIfAbsent(
        Shared.class, key -> new Shared(start(), new AtomicInteger()), Shared.class);
  }

  private static ApiServer start() {
    String wanted = System.getProperty(PROPERTY, "embedded");
    return switch (wanted) {
      case "embedded" -> EmbeddedApiServer.start();
      case "real" -> startReal();
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

  private static RESTClient client(ExtensionContext context) {
    return context
        .getStore(KEPT)
        .computeIfAbsent(
            RESTClient.class,
            key -> RESTClient.create(shared(context).server.restConfig()),
            RESTClient.class);
  }

  private static String namespace(ExtensionContext context) {
    // JUnit closes in reverse order, so the client must be kept before the namespace.
    RESTClient client = client(context);
    return context
        .getStore(KEPT)
        .computeIfAbsent(Lent.class, key -> lend(context, client), Lent.class)
        .name;
  }

  private static Lent lend(ExtensionContext context, RESTClient client) {
    String name = "test-" + shared(context).namespaces.incrementAndGet();
    ResourceClient<Unstructured> namespaces = client.resource(NAMESPACES);
    try {
      namespaces.create(
          Unstructured.of(Map.of("metadata", Map.of("name", name))).withType("v1", "Namespace"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ParameterResolutionException("interrupted while the namespace was created", e);
    }
    return new Lent(client, name);
  }
}
