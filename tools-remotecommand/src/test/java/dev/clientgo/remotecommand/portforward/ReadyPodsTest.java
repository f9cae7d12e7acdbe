package dev.clientgo.remotecommand.portforward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.Service;
import dev.clientgo.remotecommand.portforward.PodTarget.PodPort;
import dev.clientgo.rest.RESTClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Pods of services and deployments, which an API server has without running them. */
final class ReadyPodsTest {

  private static final String OBJECTS =
      """
      {apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}, ports: [
        {name: http, port: 80, targetPort: 8080}, {name: api, port: 81, targetPort: grpc},
        {name: same, port: 82}, {name: dns, port: 53, protocol: UDP}]}}
      ---
      {apiVersion: v1, kind: Service, metadata: {name: headless}, spec: {clusterIP: None, selector: {app: web},
        ports: [{port: 80, targetPort: 8080}]}}
      ---
      {apiVersion: v1, kind: Service, metadata: {name: elsewhere}, spec: {ports: [{port: 80}]}}
      ---
      {apiVersion: v1, kind: Service, metadata: {name: empty}, spec: {selector: {app: none}, ports: [{port: 80}]}}
      ---
      {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {selector: {matchLabels: {app: web}},
        template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}}}
      """;

  private static EmbeddedApiServer server;
  private static RESTClient client;

  @BeforeAll
  static void start() throws InterruptedException {
    server = EmbeddedApiServer.start();
    client = RESTClient.create(server.restConfig());
    for (Unstructured object : Unstructured.parseYaml(OBJECTS)) {
      ResourceType<?> type =
          object.toJson().contains("Deployment") ? Deployment.TYPE : Service.TYPE;
      client.dynamic(type.resource()).inNamespace("default").create(object);
    }
    pod("a", "False");
    pod("b", "True");
    pod("c", "True");
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  private static void pod(String name, String ready) throws InterruptedException {
    Unstructured pod =
        Unstructured.parseYaml(
                """
                {apiVersion: v1, kind: Pod, metadata: {name: %s, labels: {app: web}}, spec: {containers:
                  [{name: c, image: i, ports: [{name: grpc, containerPort: 9000}]}]},
                  status: {conditions: [{type: Ready, status: "%s"}]}}
                """
                    .formatted(name, ready))
            .get(0);
    client.dynamic(Pod.TYPE.resource()).inNamespace("default").create(pod);
    client.dynamic(Pod.TYPE.resource()).inNamespace("default").updateStatus(pod);
  }

  private static PodPort service(String name, int port) throws InterruptedException {
    return ReadyPods.ofService("default", name).resolve(client, port);
  }

  @Test
  void resolve_ofAService_translatesThePort() throws Exception {
    assertThat(service("web", 80)).isEqualTo(new PodPort("b", 8080));
    assertThat(service("web", 81)).isEqualTo(new PodPort("b", 9000));
    assertThat(service("web", 82)).isEqualTo(new PodPort("b", 82));
    assertThat(service("headless", 80)).isEqualTo(new PodPort("b", 80));
  }

  @Test
  void resolve_ofWhatHasPods_choosesOneThatIsReady() throws Exception {
    assertThat(ReadyPods.ofDeployment("default", "web").resolve(client, 80))
        .isEqualTo(new PodPort("b", 80));
    assertThat(ReadyPods.of("default", Selector.parse("app=web")).resolve(client, 80))
        .isEqualTo(new PodPort("b", 80));
  }

  @Test
  void resolve_withoutAWay_saysWhy() {
    assertThatThrownBy(() -> service("web", 8080))
        .isInstanceOf(PortForwardException.class)
        .hasMessage("port 8080 of the service default/web: it has only the ports [80, 81, 82, 53]");
    assertThatThrownBy(() -> service("web", 53)).hasMessageContaining("only TCP");
    assertThatThrownBy(() -> service("elsewhere", 80)).hasMessageContaining("no selector");
    assertThatThrownBy(() -> service("empty", 80))
        .hasMessage("port 80 of the service default/empty: none of its 0 pods is ready");
    assertThatThrownBy(() -> service("none", 80)).isInstanceOf(ApiStatusException.class);
  }
}
