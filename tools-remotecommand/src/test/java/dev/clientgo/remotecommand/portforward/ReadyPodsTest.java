package dev.clientgo.remotecommand.portforward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.Service;
import dev.clientgo.remotecommand.portforward.PodTarget.PodPort;
import dev.clientgo.rest.RESTClient;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
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

  private static final FakeClock CLOCK = FakeClock.create();

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
    pod("a", "web", "Running", "False");
    pod("b", "web", "Running", "True");
    pod("c", "web", "Running", "True");
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  private static void pod(String name, String app, String phase, String ready) {
    server.put(
        Unstructured.parseYaml(
                """
                {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: default, labels: {app: %s}},
                  spec: {containers: [{name: c, image: i, ports: [{name: grpc, containerPort: 9000},
                    {name: dns, containerPort: 53, protocol: UDP}]}]},
                  status: {phase: %s, conditions: [{type: Ready, status: "%s"}]}}
                """
                    .formatted(name, app, phase, ready))
            .get(0));
  }

  private static PodPort resolve(PodTarget target, int port) throws InterruptedException {
    return target.resolve(client, IntOrString.of(port), new PodWait(Duration.ZERO, CLOCK));
  }

  private static PodPort resolve(PodTarget target, String port) throws InterruptedException {
    return target.resolve(client, IntOrString.of(port), new PodWait(Duration.ZERO, CLOCK));
  }

  private static PodTarget service(String name) {
    return ReadyPods.ofService("default", name);
  }

  private static PodPort service(String name, int port) throws InterruptedException {
    return resolve(service(name), port);
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
    assertThat(resolve(ReadyPods.ofDeployment("default", "web"), 80))
        .isEqualTo(new PodPort("b", 80));
    assertThat(resolve(ReadyPods.of("default", Selector.parse("app=web")), 80))
        .isEqualTo(new PodPort("b", 80));
  }

  @Test
  void resolve_ofAName_findsTheNumber() throws Exception {
    assertThat(resolve(service("web"), "http")).isEqualTo(new PodPort("b", 8080));
    assertThat(resolve(service("web"), "api")).isEqualTo(new PodPort("b", 9000));
    assertThat(resolve(ReadyPods.ofDeployment("default", "web"), "grpc"))
        .isEqualTo(new PodPort("b", 9000));
    assertThat(resolve(ReadyPods.of("default", Selector.parse("app=web")), "grpc"))
        .isEqualTo(new PodPort("b", 9000));
    assertThat(resolve(new OnePod("default", "a"), "grpc")).isEqualTo(new PodPort("a", 9000));
  }

  @Test
  void number_ofAName_isThatOfTheTarget() throws Exception {
    PodWait none = new PodWait(Duration.ZERO, CLOCK);

    assertThat(service("web").number(client, "api", none)).isEqualTo(81);
    assertThat(new OnePod("default", "a").number(client, "grpc", none)).isEqualTo(9000);
  }

  @Test
  void resolve_ofAPodThatDoesNotExist_asksNobodyIfThePortIsANumber() throws Exception {
    assertThat(resolve(new OnePod("default", "z"), 80)).isEqualTo(new PodPort("z", 80));
    assertThatThrownBy(() -> resolve(new OnePod("default", "z"), "http"))
        .isInstanceOf(ApiStatusException.class);
  }

  private static Future<PodPort> resolveLater(PodTarget target) throws InterruptedException {
    FutureTask<PodPort> found =
        new FutureTask<>(
            () ->
                target.resolve(
                    client, IntOrString.of("grpc"), new PodWait(Duration.ofMinutes(1), CLOCK)));
    Thread thread = new Thread(found);
    thread.setDaemon(true);
    thread.start();
    CLOCK.awaitWaiters(1);
    return found;
  }

  @Test
  void resolve_withTime_waitsForAPodThatIsReady() throws Exception {
    pod("late-0", "late", "Running", "False");
    Future<PodPort> found = resolveLater(ReadyPods.of("default", Selector.parse("app=late")));

    pod("late-0", "late", "Running", "True");
    CLOCK.advance(Duration.ofSeconds(1));

    assertThat(found.get(60, TimeUnit.SECONDS)).isEqualTo(new PodPort("late-0", 9000));
  }

  @Test
  void resolve_withTime_waitsForAPodToRun() throws Exception {
    Future<PodPort> found = resolveLater(new OnePod("default", "starts"));

    pod("starts", "starts", "Pending", "False");
    CLOCK.advance(Duration.ofSeconds(1));
    CLOCK.awaitWaiters(1);
    pod("starts", "starts", "Running", "False");
    CLOCK.advance(Duration.ofSeconds(1));

    assertThat(found.get(60, TimeUnit.SECONDS)).isEqualTo(new PodPort("starts", 9000));
  }

  @Test
  void resolve_ofAPodThatEnds_waitsNoLonger() throws Exception {
    Future<PodPort> found = resolveLater(new OnePod("default", "ends"));

    pod("ends", "ends", "Succeeded", "False");
    CLOCK.advance(Duration.ofSeconds(1));

    assertThatThrownBy(() -> found.get(60, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(PortForwardException.class)
        .hasMessageContaining("port grpc of the pod default/ends: it has ended: Succeeded");
  }

  @Test
  void resolve_untilTheTimeIsUp_saysWhatItWaitedFor() throws Exception {
    Future<PodPort> none = resolveLater(new OnePod("default", "never"));
    CLOCK.advance(Duration.ofMinutes(1));
    assertThatThrownBy(() -> none.get(60, TimeUnit.SECONDS))
        .hasMessageContaining("port grpc of the pod default/never: it does not exist after 60.0 s");

    pod("slow", "slow", "Pending", "False");
    Future<PodPort> slow = resolveLater(new OnePod("default", "slow"));
    CLOCK.advance(Duration.ofMinutes(1));
    assertThatThrownBy(() -> slow.get(60, TimeUnit.SECONDS))
        .hasMessageContaining("it is Pending after 60.0 s");
  }

  @Test
  void resolve_withoutAWay_saysWhy() {
    assertThatThrownBy(() -> service("web", 8080))
        .isInstanceOf(PortForwardException.class)
        .hasMessage(
            "port 8080 of the service default/web: it has only the ports [80 (http), 81 (api),"
                + " 82 (same), 53 (dns)]");
    assertThatThrownBy(() -> service("web", 53)).hasMessageContaining("only TCP");
    assertThatThrownBy(() -> resolve(service("web"), "https"))
        .hasMessageStartingWith("port https of the service default/web: it has only the ports [80");
    assertThatThrownBy(() -> resolve(new OnePod("default", "a"), "http"))
        .hasMessage("port http of the pod default/a: no container has a port of this name");
    assertThatThrownBy(() -> resolve(new OnePod("default", "a"), "dns"))
        .hasMessage("port dns of the pod default/a: only TCP can be forwarded, and it is UDP");
    assertThatThrownBy(() -> service("elsewhere", 80)).hasMessageContaining("no selector");
    assertThatThrownBy(() -> service("empty", 80))
        .hasMessage("port 80 of the service default/empty: none of its 0 pods is ready");
    assertThatThrownBy(() -> service("none", 80)).isInstanceOf(ApiStatusException.class);
  }
}
