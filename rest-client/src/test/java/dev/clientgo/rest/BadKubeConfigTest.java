package dev.clientgo.rest;

import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Kubeconfigs that are wrong, or name what is not there. */
@DisabledOnOs(OS.WINDOWS)
final class BadKubeConfigTest extends BadInput {

  static Stream<Arguments> mishap_isExplained() {
    String cluster = "invalid configuration: cluster \"c\" in kubeconfig DIR/config";
    String user = "invalid configuration: user \"u\" in kubeconfig DIR/config";
    return Stream.of(
        row(
            "a list that does not end",
            kubeconfig("clusters: [\n"),
            "kubeconfig DIR/config, line 2, column 1 (document 1): expected the node content, but"
                + " found '<stream end>': correct the YAML there"),
        row(
            "a tab",
            kubeconfig("clusters:\n\t- name: c"),
            "kubeconfig DIR/config, line 2, column 1 (document 1): found character '\\t(TAB)' that"
                + " cannot start any token. (Do not use \\t(TAB) for indentation): correct the"
                + " YAML there"),
        row(
            "another type",
            kubeconfig("clusters: 7"),
            "kubeconfig DIR/config: clusters is a number, but must be a list"),
        row(
            "no kubeconfig, but text",
            kubeconfig("hello"),
            "kubeconfig DIR/config: it is text, but must be a mapping"),
        row(
            "no kubeconfig, but a manifest",
            kubeconfig("apiVersion: v1\nkind: Pod"),
            "kubeconfig DIR/config: has kind Pod, but a kubeconfig has kind Config"),
        row(
            "no text at all",
            test -> test.load(new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1}),
            "cannot read kubeconfig DIR/config: it is not text in UTF-8"),
        row(
            "no file",
            test -> KubeConfigLoader.builder().file(test.directory.resolve("no")).build().load(),
            "there is no kubeconfig DIR/no"),
        row(
            "a directory",
            test -> KubeConfigLoader.builder().file(test.directory).build().load(),
            "cannot read kubeconfig DIR: it is a directory"),
        row(
            "two of a name",
            kubeconfig("users: [{name: u}, {name: u}]"),
            "kubeconfig DIR/config: users[1] is the second one named \"u\": rename or remove one of"
                + " the two"),
        row(
            "an unknown context",
            kubeconfig("current-context: z\ncontexts: [{name: x}]"),
            "context \"z\" does not exist: kubeconfig DIR/config has x"),
        row(
            "no context chosen",
            kubeconfig("contexts: [{name: a}, {name: b}]"),
            "kubeconfig DIR/config names no current-context: choose one of its contexts (a, b), as"
                + " kubectl config use-context does"),
        row(
            "an unknown cluster",
            kubeconfig("current-context: x\ncontexts: [{name: x, context: {cluster: gone}}]"),
            "cluster \"gone\" does not exist: kubeconfig DIR/config has no cluster"),
        row("no server", kubeconfig("tls-server-name: n", ""), cluster + " has no server"),
        row(
            "a server that is no URL",
            kubeconfig("server: 'https://h:port'", ""),
            "cluster \"c\" in kubeconfig DIR/config: server https://h:port is neither an http(s) URL nor"
                + " host:port"),
        row(
            "an authority that is not there",
            kubeconfig("server: 'https://h', certificate-authority: ca", ""),
            cluster + ": certificate-authority: there is no file DIR/ca"),
        row(
            "an authority that is none",
            kubeconfig("server: 'https://h', certificate-authority: config", ""),
            "the certificate authority DIR/config has no PEM block BEGIN CERTIFICATE"),
        row(
            "an authority that is not base64",
            kubeconfig("server: 'https://h', certificate-authority-data: '%'", ""),
            "kubeconfig DIR/config: clusters[0].cluster.certificate-authority-data is not base64"),
        row(
            "a proxy that is none",
            kubeconfig("server: 'https://h', proxy-url: 'ftp://p'", ""),
            cluster + " has a proxy-url that is not an http, https or socks5 URL"),
        row(
            "an authority that is not to be asked",
            kubeconfig(
                "server: 'https://h', certificate-authority: config, insecure-skip-tls-verify: true",
                ""),
            "context \"x\" in kubeconfig DIR/config: a certificate authority is configured and the"
                + " server's certificate is not to be checked: remove one of the two"),
        row(
            "a certificate that is not there",
            user("client-certificate: crt, client-key: config"),
            user + ": client-certificate: there is no file DIR/crt"),
        row(
            "a certificate without a key",
            user("client-certificate: config"),
            user + " has a client-certificate but no client-key"),
        row(
            "a certificate that is none",
            user("client-certificate: config, client-key: config"),
            "the client certificate DIR/config has no PEM block BEGIN CERTIFICATE"),
        row(
            "a token file that is not there",
            user("tokenFile: token"),
            user + ": tokenFile: there is no file DIR/token"),
        row(
            "a token that is a number",
            user("token: 12345"),
            "kubeconfig DIR/config: users[0].user.token is a number, but must be text: put it in"
                + " quotes"),
        row(
            "an auth provider of the past",
            user("auth-provider: {name: gcp}"),
            user
                + " uses the auth-provider gcp, which Kubernetes has removed: use exec with the"
                + " plugin gke-gcloud-auth-plugin instead"),
        row(
            "an auth provider that is none",
            user("auth-provider: {name: mine}"),
            user
                + " uses the auth-provider mine, which does not exist: the one there is, is oidc; for"
                + " others there is exec"),
        row(
            "a token of a provider that cannot be refreshed",
            user(
                "auth-provider: {name: oidc, config: {idp-issuer-url: 'https://i', client-id: c}}"),
            "auth-provider oidc (of user \"u\" in kubeconfig DIR/config) has an id-token that is"
                + " missing or expired, and no refresh-token: log in"));
  }

  @ParameterizedTest
  @MethodSource
  void mishap_isExplained(Mishap mishap, String text) throws Exception {
    assertExplained(mishap, text);
  }
}
