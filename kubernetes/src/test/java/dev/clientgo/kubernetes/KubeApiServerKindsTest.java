package dev.clientgo.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.kubernetes.core.v1.Binding;
import dev.clientgo.rest.RESTClient;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** All kinds of the real kube-apiserver. */
final class KubeApiServerKindsTest {

  private static final Set<String> NOT_IN_PROTOBUF =
      Set.of("apiextensions.k8s.io", "apiregistration.k8s.io");

  private static KubeApiServer server;
  private static RESTClient client;

  @BeforeAll
  static void start() throws InterruptedException {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
    server = KubeApiServer.start();
    client = RESTClient.create(server.restConfig());
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      client.close();
      server.close();
    }
  }

  @Nested
  final class BuiltIn extends BuiltInKindsContract {
    @Override
    RESTClient client() {
      return client;
    }

    @Override
    boolean isInProtobuf(ResourceType<?> type) {
      return !NOT_IN_PROTOBUF.contains(type.kind().group());
    }
  }

  @Nested
  final class Custom extends CustomKindsContract {
    @Override
    RESTClient client() {
      return client;
    }
  }

  @Nested
  final class Subresources extends SubresourceContract {
    /** The server answers in protobuf that it is done. */
    @Test
    void binding_asAnObject_isReturnedAsItWasSent() throws InterruptedException {
      core().pods("default").create(pod("bound-too"));
      Binding binding =
          Binding.of("default", "bound-too", b -> b.editTarget(t -> t.kind("Node").name("a")));

      assertThat(core().bindings("default").create(binding)).isEqualTo(binding);
      assertThat(core().pods("default").get("bound-too").spec().nodeName()).isEqualTo("a");
    }

    @Override
    RESTClient client() {
      return client;
    }
  }
}
