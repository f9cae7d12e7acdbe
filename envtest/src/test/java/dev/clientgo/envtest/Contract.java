package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.envtest.TestClient.Events;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of every API server, the embedded and the real one. Each test has its own namespace.
 */
@Timeout(300)
abstract class Contract {

  static final String MERGE_PATCH = "application/merge-patch+json";

  private static final AtomicInteger NAMESPACES = new AtomicInteger();

  String namespace = "";

  /** Returns a client of the server under test. */
  abstract TestClient api();

  @BeforeEach
  void createNamespace() {
    namespace = "contract-" + NAMESPACES.incrementAndGet();
    Answer created = api().post("/api/v1/namespaces", "{'metadata':{'name':'" + namespace + "'}}");
    assertThat(created.code()).as(created.text()).isEqualTo(201);
  }

  /** Returns whether the server is Kubernetes 1.{@code minor} or later, for what has changed. */
  boolean since(int minor) {
    String actual = (String) must(200, api().get("/version")).at("minor");
    return Integer.parseInt(actual) >= minor;
  }

  /** Returns the path of a core resource in the namespace of the test. */
  String core(String resource) {
    return "/api/v1/namespaces/" + namespace + "/" + resource;
  }

  String configMaps() {
    return core("configmaps");
  }

  String configMap(String name) {
    return configMaps() + "/" + name;
  }

  /** Creates a ConfigMap. */
  Answer create(String name) {
    return create(name, "");
  }

  /** Creates a ConfigMap with additional metadata. */
  Answer create(String name, String moreMetadata) {
    return must(
        201,
        api()
            .post(
                configMaps(),
                "{'metadata':{'name':'" + name + "'" + moreMetadata + "},'data':{'k':'v'}}"));
  }

  /** Creates a pod; a node name assigns it to a node. */
  Answer createPod(String name, String node) {
    String spec = "'containers':[{'name':'c','image':'i'}]";
    String nodeName = node.isEmpty() ? "" : ",'nodeName':'" + node + "'";
    return must(
        201,
        api()
            .post(
                core("pods"),
                "{'metadata':{'name':'" + name + "'},'spec':{" + spec + nodeName + "}}"));
  }

  /** Changes the value of a ConfigMap. */
  Answer set(String name, String value) {
    return must(200, api().mergePatch(configMap(name), "{'data':{'k':'" + value + "'}}"));
  }

  Events watch(String query) {
    return api().watch(configMaps() + "?watch=true" + query);
  }

  /** Waits for an effect of the real server's controllers; seeing it once is enough. */
  static void eventually(BooleanSupplier condition) {
    for (int i = 0; i < 600; i++) {
      if (condition.getAsBoolean()) {
        return;
      }
      try {
        Clock.system().sleep(Duration.ofMillis(50));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
    }
    throw new AssertionError("it does not become true");
  }

  static Answer must(int code, Answer answer) {
    assertThat(answer.code()).as(answer.text()).isEqualTo(code);
    return answer;
  }

  static void assertFailure(Answer answer, int code, String reason, String message) {
    assertThat(answer.at("kind")).as(answer.text()).isEqualTo("Status");
    assertThat(answer.at("apiVersion")).isEqualTo("v1");
    assertThat(answer.at("metadata")).isNotNull();
    assertThat(answer.at("status")).isEqualTo("Failure");
    assertThat(answer.code()).as(answer.text()).isEqualTo(code);
    assertThat(answer.at("code")).isEqualTo((long) code);
    assertThat(answer.reason()).isEqualTo(reason);
    assertThat(answer.message()).contains(message);
  }
}
