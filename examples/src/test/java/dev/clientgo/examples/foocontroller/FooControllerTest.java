package dev.clientgo.examples.foocontroller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.clientgo.controller.Manager;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.examples.generated.k8s.samplecontroller.v1alpha1.Foo;
import dev.clientgo.examples.lesson.FooDefinition;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FooControllerTest {

  /** Far more than the bounds of the controller: those of its parts are 0.1 s and 2 s. */
  private static final Duration BOUND = Duration.ofSeconds(30);

  private final StringWriter out = new StringWriter();

  @Test
  void close_serverNoLongerAnswers_endsAndSaysWhatIsLeft() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      FooDefinition.install(client);
      FooController controller =
          new FooController(client, Duration.ofMillis(100), new PrintWriter(out, true));
      controller.start();
      server
          .faults()
          .on(request -> request.method().equals("POST") && request.path().contains("deployments"))
          .always()
          .ignore();
      client.resource(Foo.TYPE).create(foo("web"));
      server.awaitRequests(
          1, request -> request.path().endsWith("/namespaces/default/deployments"));
      server.faults().on(request -> true).always().ignore();

      assertTimeoutPreemptively(BOUND, controller::close);

      assertThat(out.toString()).contains("! not finished in time: 1 (default/web) in process");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void start_deploymentOfSomethingElse_isLeftAlone(boolean runtime) throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      FooDefinition.install(client);
      ResourceClient<Deployment> deployments =
          client.resource(Deployment.TYPE).inNamespace("default");
      Deployment foreign =
          deployments.create(Deployment.of("default", "a", d -> d.editSpec(s -> s.replicas(7))));
      client.resource(Foo.TYPE).create(foo("a"));
      client.resource(Foo.TYPE).create(foo("b"));

      if (runtime) {
        try (Manager manager = FooLesson.manager(Manager.builder(client))) {
          manager.start();
          deployments.await("b", Optional::isPresent, BOUND);
        }
      } else {
        try (FooController controller =
            new FooController(client, BOUND, new PrintWriter(out, true))) {
          controller.start();
          deployments.await("b", Optional::isPresent, BOUND);
        }
      }

      assertThat(deployments.get("a")).isEqualTo(foreign); // Though "a" came first.
    }
  }

  private static Foo foo(String name) {
    return Foo.of("default", name, foo -> foo.editSpec(s -> s.deploymentName(name).replicas(1)));
  }
}
