package dev.clientgo.examples.foocontroller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.examples.generated.Clientset;
import dev.clientgo.examples.generated.k8s.samplecontroller.v1alpha1.Foo;
import dev.clientgo.examples.lesson.FooDefinition;
import dev.clientgo.rest.RESTClient;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

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
      Clientset.of(client)
          .samplecontrollerK8s()
          .v1alpha1()
          .foos("default")
          .create(
              Foo.of(
                  foo ->
                      foo.editMetadata(m -> m.name("web"))
                          .editSpec(s -> s.deploymentName("web").replicas(1))));
      server.awaitRequests(
          1, request -> request.path().endsWith("/namespaces/default/deployments"));
      server.faults().on(request -> true).always().ignore();

      assertTimeoutPreemptively(BOUND, controller::close);

      assertThat(out.toString()).contains("! not finished in time: 1 (default/web) in process");
    }
  }
}
