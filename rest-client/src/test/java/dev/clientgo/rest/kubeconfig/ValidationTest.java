package dev.clientgo.rest.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@link KubeConfig#validate} finds, and what is asked of the one context that is used. The Go
 * tests named are in {@code tools/clientcmd/validation_test.go}.
 */
final class ValidationTest {

  @TempDir private Path directory;

  private static String user(String fields) {
    return "users: [{name: u, user: {" + fields + "}}]";
  }

  private static String exec(String fields) {
    return user("exec: {" + fields + "}");
  }

  private static String cluster(String fields) {
    return "clusters: [{name: c, cluster: {" + fields + "}}]";
  }

  private static String context(String fields) {
    return "contexts: [{name: x, context: {"
        + fields
        + "}}]\nclusters: [{name: c, cluster: {server: 's'}}]\nusers: [{name: u}]";
  }

  static Stream<Arguments> invalid() {
    String v1 = "apiVersion: client.authentication.k8s.io/v1";
    return Stream.of(
        Arguments.of("TestValidateEmptyConfig", "", "there is no cluster, no user and no context"),
        Arguments.of(
            "TestValidateMissingCurrentContextConfig",
            "current-context: anything",
            "the current-context \"anything\" does not exist"),
        Arguments.of(
            "TestValidateMissingReferencesConfig",
            "contexts: [{name: x, context: {cluster: m, user: p}}]",
            "context \"x\": user \"p\" does not exist; context \"x\": cluster \"m\" does not exist"),
        Arguments.of(
            "TestValidateEmptyContext",
            "contexts: [{name: x}]",
            "context \"x\" names no user; context \"x\" names no cluster"),
        Arguments.of(
            "TestValidateEmptyContextName",
            context("cluster: c, user: u").replace("name: x, ", ""),
            "a context has no name"),
        Arguments.of(
            "validateContext: namespace",
            context("cluster: c, user: u, namespace: Not_A_Name"),
            "context \"x\": namespace \"Not_A_Name\" is not a valid namespace"),
        Arguments.of("TestValidateEmptyClusterInfo", cluster(""), "cluster \"c\" has no server"),
        Arguments.of(
            "TestValidateMissingCAFileClusterInfo",
            cluster("server: 's', certificate-authority: /missing"),
            "cluster \"c\": certificate-authority: there is no file /missing"),
        Arguments.of(
            "validateClusterInfo: both forms",
            cluster("server: 's', certificate-authority: /, certificate-authority-data: QQ=="),
            "cluster \"c\" has both certificate-authority and certificate-authority-data: remove"
                + " one; cluster \"c\": certificate-authority / is a directory"),
        Arguments.of(
            "TestValidateCertFilesNotFoundAuthInfo",
            user("client-certificate: /no-crt, client-key: /no-key"),
            "user \"u\": client-certificate: there is no file /no-crt; user \"u\": client-key: there"
                + " is no file /no-key"),
        Arguments.of(
            "TestValidateCertDataOverridesFiles",
            user(
                "client-certificate: /, client-certificate-data: QQ==, client-key: /,"
                    + " client-key-data: QQ=="),
            "user \"u\" has both client-certificate and client-certificate-data: remove one; user"
                + " \"u\" has both client-key and client-key-data: remove one; user \"u\":"
                + " client-certificate / is a directory; user \"u\": client-key / is a directory"),
        Arguments.of(
            "validateAuthInfo: certificate without key",
            user("client-certificate-data: QQ=="),
            "user \"u\" has a client-certificate but no client-key"),
        Arguments.of(
            "TestValidateMultipleMethodsAuthInfo",
            user("token: t, username: me"),
            "user \"u\" has both a token and a password: only one is allowed"),
        Arguments.of(
            "TestBasicTokenFile, of a file that is not there",
            user("tokenFile: /missing"),
            "user \"u\": tokenFile: there is no file /missing"),
        Arguments.of(
            "TestValidateAuthInfoExecNoVersion",
            exec("command: p, interactiveMode: Never"),
            "user \"u\": exec has the apiVersion \"\", but must have client.authentication.k8s.io/v1"
                + " or client.authentication.k8s.io/v1beta1: ask for a newer version of the plugin"
                + " if it knows neither"),
        Arguments.of(
            "TestValidateAuthInfoExecNoCommand",
            exec(v1 + ", interactiveMode: Never"),
            "user \"u\": exec names no command"),
        Arguments.of(
            "TestValidateAuthInfoExecWithAuthProvider",
            user(
                "exec: {command: p, interactiveMode: Never, "
                    + v1
                    + "}, auth-provider: {name: oidc, config: {idp-issuer-url: i, client-id: c}}"),
            "user \"u\" has both exec and auth-provider: remove one of the two"),
        Arguments.of(
            "validateAuthInfo: no name in the environment",
            exec(v1 + ", command: p, interactiveMode: Never, env: [{value: v}]"),
            "user \"u\": exec sets an environment variable without a name"),
        Arguments.of(
            "TestValidateAuthInfoExecInteractiveModeMissing",
            exec(v1 + ", command: p"),
            "user \"u\": exec does not say its interactiveMode: set Never, IfAvailable or Always"),
        Arguments.of(
            "TestValidateAuthInfoExecInteractiveModeInvalid",
            exec(v1 + ", command: p, interactiveMode: never"),
            "user \"u\": interactiveMode is \"never\", but must be Never, IfAvailable or Always"),
        Arguments.of(
            "TestValidateAuthInfoImpersonateGroupsWithoutUserInvalid",
            user("as-groups: [g]"),
            "user \"u\" impersonates a uid, groups or extra, but no user: set as"),
        Arguments.of(
            "TestValidateAuthInfoImpersonateExtraWithoutUserInvalid",
            user("as-user-extra: {k: [v]}"),
            "user \"u\" impersonates a uid, groups or extra, but no user: set as"),
        Arguments.of(
            "TestValidateAuthInfoImpersonateUIDWithoutUserInvalid",
            user("as-uid: '7'"),
            "user \"u\" impersonates a uid, groups or extra, but no user: set as"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("invalid")
  void validate_findsWhatIsWrong(String upstream, String text, String problems) {
    assertThatThrownBy(() -> KubeConfig.parse(text).validate())
        .as(upstream)
        .isInstanceOf(ConfigException.class)
        .hasMessage("invalid configuration: " + problems);
  }

  /**
   * TestConfirmUsableBadInfoButOkConfig, TestValidateCleanClusterInfo,
   * TestValidateCleanWithCAClusterInfo, TestValidateCleanCertFilesAuthInfo,
   * TestValidateCleanTokenAuthInfo, TestValidateAuthInfoExec, TestValidateAuthInfoExecNoEnv,
   * TestValidateAuthInfoImpersonateUser, TestValidateAuthInfoImpersonateEverything,
   * TestValidateEmptyAuthInfo.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "contexts: [{name: x, context: {cluster: c, user: u, namespace: ns}}]\n"
            + "clusters: [{name: c, cluster: {server: 's'}}]\nusers: [{name: u}]",
        "clusters: [{name: c, cluster: {server: 'anything'}}]",
        "clusters: [{name: c, cluster: {server: 's', certificate-authority: FILE}}]",
        "users: [{name: u, user: {}}]",
        "users: [{name: u, user: {client-certificate: FILE, client-key: FILE}}]",
        "users: [{name: u, user: {client-key: /not/used/without/a/certificate}}]",
        "users: [{name: u, user: {token: t, tokenFile: /refreshes/it/later}}]",
        "users: [{name: u, user: {token: t, client-certificate-data: QQ==, client-key-data: QQ==}}]",
        "users: [{name: u, user: {as: j, as-uid: '7', as-groups: [g], as-user-extra: {k: [v]}}}]",
        "users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1beta1,"
            + " command: p, env: [{name: k, value: v}]}}}]",
        "users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1beta1,"
            + " command: p, args: [a, b], env: [{name: k, value: ''}]}}}]",
      })
  void validate_acceptsTheRest(String text) throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");

    assertThatCode(() -> KubeConfig.parse(text.replace("FILE", file.toString())).validate())
        .doesNotThrowAnyException();
  }

  /** TestConfirmUsableBadInfoConfig: what is not used may be wrong. */
  @Test
  void restConfig_looksAtTheContextAlone() {
    KubeConfig config =
        KubeConfig.parse(
            """
            current-context: good
            clusters:
            - {name: c, cluster: {server: "https://h"}}
            - {name: bad, cluster: {certificate-authority: /missing, server: 7}}
            users: [{name: bad, user: {exec: {}}}]
            contexts:
            - {name: good, context: {cluster: c}}
            - {name: bad, context: {cluster: bad, user: bad, namespace: Bad_NS}}
            """);

    assertThat(config.restConfig().server()).hasToString("https://h/");
    assertThatThrownBy(() -> config.toBuilder().currentContext("bad").build().restConfig())
        .isInstanceOf(ConfigException.class);
    assertThatThrownBy(config::validate).isInstanceOf(ConfigException.class);
  }
}
