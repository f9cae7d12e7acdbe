package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
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

  @Test
  void manifest_isValidatedCreatedAppliedAndDeleted() throws Exception {
    assertThat(run("create -f MAP")).contains("configmap/a created");
    assertThat(run("apply -f MAP")).contains("configmap/a configured");
    assertThat(run("apply --server-side --force-conflicts -f MAP"))
        .contains("configmap/a serverside-applied");
    assertThat(run("diff -f MAP")).isEmpty();
    assertThat(run("replace -f MAP")).contains("configmap/a replaced");
    assertThat(run("patch cm a --type=merge -p {\"data\":{\"x\":\"z\"}}"))
        .contains("configmap/a patched");
    assertThat(run("delete cm a")).contains("configmap \"a\" deleted");
  }

  @Test
  void misspeltField_ofABuiltInAndOfACustomKind_isRefusedAsByTheRealServer() throws Exception {
    install("Gadget");
    apply("{apiVersion: example.com/v1, kind: Gadget, metadata: {name: a}, spec: {size: 1}}");

    assertThat(apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: b}, dta: {x: y}}"))
        .isEqualTo(
            "Error from server (BadRequest): error when creating \"STDIN\": ConfigMap in version"
                + " \"v1\" cannot be handled as a ConfigMap: strict decoding error: unknown field"
                + " \"dta\"\n");
    assertThat(
            apply("{apiVersion: example.com/v1, kind: Gadget, metadata: {name: b}, spec: {sz: 1}}"))
        .contains("strict decoding error: unknown field \"spec.sz\"");
    assertThat(
            apply("{apiVersion: example.com/v1, kind: Gadget, metadata: {name: a}, spec: {sz: 1}}"))
        .contains("strict decoding error: unknown field \"spec.sz\"");
  }

  /**
   * The third part is what another client has set, which is neither in the old nor new manifest.
   */
  @Test
  void apply_mergesContainersByName() throws Exception {
    apply(deployment("{name: a, image: a:1}, {name: b, image: b:1}"));
    assertThat(run("patch deployment web -p {\"spec\":{\"replicas\":7}}")).contains("patched");
    assertThat(run("set image deployment/web a=a:2")).contains("image updated");

    assertThat(apply(deployment("{name: b, image: b:2}, {name: c, image: c:1}")))
        .contains("deployment.apps/web configured");

    assertThat(run("get deployment web -o jsonpath={.spec.template.spec.containers[*].image}"))
        .isEqualTo("b:2 c:1");
    assertThat(run("get deployment web -o jsonpath={.spec.replicas}")).isEqualTo("7");
  }

  @Test
  void explain_showsTheFieldsOfBuiltInAndCustomKinds_whileTheyAreServed() throws Exception {
    install("Sprocket");

    assertThat(run("explain deployment.spec.template.spec.containers"))
        .contains("FIELD: containers <[]Container>", "imagePullPolicy", "volumeMounts");
    assertThat(run("explain sprocket.spec.size")).contains("FIELD: size <integer>", "how large");
    run("delete crd sprockets.example.com");
    assertThat(run("explain sprocket.spec")).contains("error:").doesNotContain("size");
  }

  private static String install(String kind) throws Exception {
    String plural = kind.toLowerCase(Locale.ROOT) + "s";
    return apply(
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: PLURAL.example.com}
        spec:
          group: example.com
          scope: Namespaced
          names: {plural: PLURAL, kind: KIND}
          versions:
          - name: v1
            served: true
            storage: true
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec:
                    type: object
                    properties: {size: {type: integer, description: how large it is}}
        """
            .replace("PLURAL", plural)
            .replace("KIND", kind));
  }

  private static String deployment(String containers) {
    return """
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web}
    spec:
      selector: {matchLabels: {app: web}}
      template: {metadata: {labels: {app: web}}, spec: {containers: [%s]}}
    """
        .formatted(containers);
  }

  private static String apply(String manifest) throws Exception {
    return kubectl.runWithInput(manifest, "apply", "-f", "-").output();
  }
}
