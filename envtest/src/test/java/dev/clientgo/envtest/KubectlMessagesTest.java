package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The real kubectl learns from the embedded server why a command cannot work, and what can. */
@Timeout(300)
final class KubectlMessagesTest {

  private static final String MAP =
      "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: default}, data: {x: y}}\n";

  @TempDir private static Path folder;
  private static EmbeddedApiServer server;
  private static Kubectl kubectl;
  private static Path map;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(Kubectl.isAvailable(), "no kubectl in KUBEBUILDER_ASSETS");
    server = EmbeddedApiServer.start();
    kubectl = Kubectl.of(server, folder);
    map = Files.writeString(folder.resolve("map.yaml"), MAP);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  private static String run(String command) throws Exception {
    return kubectl.run(command.replace("MAP", map.toString()).split(" ")).output();
  }

  /** These commands send protobuf. The answer must not list it among what is accepted. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "create ns shop",
        "create configmap b --from-literal=a=b",
        "create role r --verb=get --resource=pods",
        "create token default",
        "auth can-i create pods",
        "auth whoami"
      })
  void command_thatSendsProtobuf_saysWhatTheServerReads(String command) throws Exception {
    assertThat(run(command))
        .contains("accepted media types include: application/json, application/yaml")
        .contains("the embedded server reads no protobuf", "create -f FILE")
        .doesNotContain("application/vnd.kubernetes.protobuf", "CodecException");
  }

  /** These commands ask for OpenAPI, which the server does not have; kubectl says how to go on. */
  @ParameterizedTest
  @ValueSource(
      strings = {"create -f MAP", "apply -f MAP", "apply --server-side -f MAP", "replace -f MAP"})
  void command_thatNeedsOpenApi_namesTheOptionThatDoesWithout(String command) throws Exception {
    assertThat(run(command)).contains("failed to download openapi", "--validate=false");
  }

  @Test
  void manifest_withoutValidation_isCreatedAppliedAndPatched() throws Exception {
    assertThat(run("create --validate=false -f MAP")).contains("configmap/a created");
    assertThat(run("apply --validate=false -f MAP")).contains("configmap/a configured");
    assertThat(run("apply --server-side --force-conflicts --validate=false -f MAP"))
        .contains("configmap/a serverside-applied");
    assertThat(run("patch cm a --type=merge -p {\"data\":{\"x\":\"z\"}}"))
        .contains("configmap/a patched");
    assertThat(run("delete cm a")).contains("configmap \"a\" deleted");
  }
}
