package dev.clientgo.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Stream;
import mockwebserver3.MockResponse;
import okhttp3.tls.HeldCertificate;
import okio.Buffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What people read when something is wrong: what failed, where it was configured, and what to do.
 * In the texts DIR is the folder of the kubeconfig, and PORT that of the server, or of the proxy.
 */
@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
final class BadInputTest {

  private static final String HTTP = "GET http://127.0.0.1:PORT/x: ";
  private static final String HTTPS = "GET https://127.0.0.1:PORT/x: ";
  private static final Timeouts PATIENT_FOR_A_MOMENT =
      new Timeouts(
          Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofMillis(100), Duration.ZERO);

  @TempDir private Path directory;
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private int port;
  private Timeouts timeouts = Timeouts.STANDARD;

  @AfterEach
  void close() throws Exception {
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }

  /** Makes something go wrong; the configuration that it returns is used for one request. */
  @FunctionalInterface
  interface Mishap {
    RestConfig prepare(BadInputTest test) throws Exception;
  }

  private <T extends AutoCloseable> T keep(T resource) {
    open.push(resource);
    return resource;
  }

  /* --------------- Kubeconfigs --------------- */

  private RestConfig load(byte[] kubeconfig) throws IOException {
    Path file = Files.write(directory.resolve("config"), kubeconfig);
    return KubeConfigLoader.builder().file(file).build().load();
  }

  private static Mishap kubeconfig(String text) {
    return test -> test.load(text.getBytes(UTF_8));
  }

  private static Mishap kubeconfig(String cluster, String user) {
    return kubeconfig(
        """
        current-context: x
        clusters: [{name: c, cluster: {%s}}]
        users: [{name: u, user: {%s}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        """
            .formatted(cluster, user));
  }

  private static Mishap user(String user) {
    return kubeconfig("server: 'https://127.0.0.1:1'", user);
  }

  private static Arguments row(String name, Mishap mishap, String text) {
    return argumentSet(name, mishap, text);
  }

  static Stream<Arguments> kubeconfigs() {
    String cluster = "invalid configuration: cluster \"c\" in kubeconfig DIR/config";
    String user = "invalid configuration: user \"u\" in kubeconfig DIR/config";
    return Stream.of(
        row(
            "a list that does not end",
            kubeconfig("clusters: [\n"),
            "kubeconfig DIR/config, line 2, column 1: expected the node content, but found '<stream"
                + " end>': mend the YAML there"),
        row(
            "a tab",
            kubeconfig("clusters:\n\t- name: c"),
            "kubeconfig DIR/config, line 2, column 1: found character '\\t(TAB)' that cannot start"
                + " any token. (Do not use \\t(TAB) for indentation): mend the YAML there"),
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
            kubeconfig("current-context: y\ncontexts: [{name: x}]"),
            "context \"y\" does not exist: kubeconfig DIR/config has x"),
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
            "the certificate authority DIR/config holds no PEM block BEGIN CERTIFICATE"),
        row(
            "an authority that is not base64",
            kubeconfig("server: 'https://h', certificate-authority-data: '%'", ""),
            "kubeconfig DIR/config: clusters[0].cluster.certificate-authority-data is not base64"),
        row(
            "a proxy that is none",
            kubeconfig("server: 'https://h', proxy-url: 'ftp://p'", ""),
            cluster + " has a proxy-url that is no http, https or socks5 URL"),
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
            "the client certificate DIR/config holds no PEM block BEGIN CERTIFICATE"),
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

  /* --------------- Plugins --------------- */

  private static Mishap plugin(String command, String script, String mode) {
    return user(
        "exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: %s, command: '%s', args: [-c, '%s'], installHint: get it}"
            .formatted(mode, command, script));
  }

  private static Mishap plugin(String script) {
    return plugin("sh", script, "Never");
  }

  static Stream<Arguments> plugins() {
    String who = " (of user \"u\" in kubeconfig DIR/config) ";
    String sh = "credential plugin sh" + who;
    String hint =
        ": it is installed apart from this program, see"
            + " https://kubernetes.io/docs/reference/access-authn-authz/authentication/"
            + "#client-go-credential-plugins\n\nget it";
    return Stream.of(
        row(
            "is not in the PATH",
            plugin("no-such-plugin", "", "Never"),
            "credential plugin no-such-plugin"
                + who
                + "cannot be run: no folder of PATH has it"
                + hint),
        row(
            "is not there",
            plugin("bin/none", "", "Never"),
            "credential plugin DIR/bin/none"
                + who
                + "cannot be run: there is no file DIR/bin/none"
                + hint),
        row(
            "may not be run",
            plugin("./config", "", "Never"),
            "credential plugin DIR/config"
                + who
                + "cannot be run: DIR/config is not executable"
                + hint),
        row(
            "fails",
            plugin("exit 3"),
            sh + "failed with exit code 3: see what it wrote to standard error, or run it by hand"),
        row(
            "hangs",
            test -> {
              RestConfig config = plugin("sleep 600").prepare(test);
              return config.toBuilder()
                  .exec(config.exec().toBuilder().timeout(Duration.ofSeconds(1)).build())
                  .build();
            },
            sh + "did not answer within 1 s and was killed: does it wait for somebody to log in?"),
        row("says nothing", plugin("true"), sh + "answered nothing on its standard output"),
        row(
            "prints garbage",
            plugin("echo garbage"),
            sh + "answered 8 bytes that are no JSON object"),
        row(
            "answers with something else",
            plugin("echo {}"),
            sh
                + "answered with kind (none) and apiVersion (none), but is configured for"
                + " ExecCredential and client.authentication.k8s.io/v1"),
        row(
            "has no terminal",
            plugin("sh", "", "Always"),
            sh
                + "must ask the user (interactiveMode Always), but standard input is not a"
                + " terminal"),
        row(
            "names no version",
            user("exec: {command: p}"),
            "invalid configuration: user \"u\" in kubeconfig DIR/config: exec has the apiVersion"
                + " \"\", but must have client.authentication.k8s.io/v1 or"
                + " client.authentication.k8s.io/v1beta1: ask for a newer version of the plugin if"
                + " it knows neither"),
        row(
            "names a version that is gone",
            user("exec: {command: p, apiVersion: client.authentication.k8s.io/v1alpha1}"),
            "invalid configuration: user \"u\" in kubeconfig DIR/config: exec has the apiVersion"
                + " \"client.authentication.k8s.io/v1alpha1\", but must have"
                + " client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1: ask for"
                + " a newer version of the plugin if it knows neither"),
        row(
            "is not allowed",
            test ->
                plugin("true").prepare(test).toBuilder()
                    .pluginPolicy(PluginPolicy.denyAll())
                    .build(),
            sh + "may not be run: policy set to \"DenyAll\""));
  }

  /* --------------- Servers --------------- */

  private RestConfig.Builder raw(String scheme, RawServer.Misbehaviour misbehaviour)
      throws IOException {
    port = keep(RawServer.start(misbehaviour)).port();
    return RestConfig.builder(scheme + "://127.0.0.1:" + port);
  }

  private static Mishap raw(String scheme, String text) {
    return test -> test.raw(scheme, RawServer.send(text)).build();
  }

  private int free() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    return port;
  }

  private TestServer server(TestServer server) {
    port = server.mock().getPort();
    return keep(server);
  }

  private static HeldCertificate.Builder certificate() {
    return new HeldCertificate.Builder()
        .signedBy(TestServer.AUTHORITY)
        .addSubjectAlternativeName("127.0.0.1");
  }

  private static Mishap shows(HeldCertificate certificate) {
    return test ->
        test.server(TestServer.start(TestServer.Wire.HTTP_2, certificate)).config().build();
  }

  static Stream<Arguments> servers() {
    return Stream.of(
        row(
            "is absent",
            test -> RestConfig.builder("https://127.0.0.1:" + test.free()).build(),
            HTTPS
                + "nothing listens at https://127.0.0.1:PORT: is the API server up, and is this its"
                + " address?"),
        row(
            "has no address",
            test -> RestConfig.builder("https://no-such-host.invalid").build(),
            "GET https://no-such-host.invalid/x: the host name no-such-host.invalid has no address:"
                + " check the server URL and the DNS"),
        row(
            "speaks TLS, and says so as Go does",
            raw(
                "http",
                "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n"),
            "the server rejected our request for an unknown reason: "
                + HTTP
                + "it speaks TLS: use an https URL"),
        row(
            "speaks TLS",
            raw("http", "\u0015\u0003\u0003\u0000\u0002\u0002\n\r\n"),
            HTTP
                + "what answers at http://127.0.0.1:PORT does not speak HTTP; if it speaks TLS, use"
                + " an https URL"),
        row(
            "does not speak TLS",
            raw("https", "HTTP/1.1 400 Bad Request\r\n\r\n"),
            HTTPS
                + "what answers at port PORT does not speak TLS: if it is meant to be so, use an http"
                + " URL"),
        row(
            "does not speak HTTP",
            raw("http", "SSH-2.0-OpenSSH_9.6\r\n"),
            HTTP
                + "what answers at http://127.0.0.1:PORT does not speak HTTP; if it speaks TLS, use"
                + " an https URL (Unexpected status line: SSH-2.0-OpenSSH_9.6)"),
        row(
            "closes the connection",
            test -> test.raw("http", RawServer.CLOSE).build(),
            HTTP
                + "the connection to http://127.0.0.1:PORT was closed before an answer came"
                + " (unexpected end of stream on http://127.0.0.1:PORT/...)"),
        row(
            "closes the connection during the handshake",
            test -> test.raw("https", RawServer.CLOSE).build(),
            HTTPS + "the server closed the connection during the TLS handshake"),
        row(
            "says nothing",
            test -> {
              ServerSocket silent =
                  test.keep(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
              test.port = silent.getLocalPort();
              test.timeouts = PATIENT_FOR_A_MOMENT;
              return RestConfig.builder("http://127.0.0.1:" + test.port).build();
            },
            HTTP + "no answer from http://127.0.0.1:PORT in time"),
        row(
            "has a certificate of the past",
            shows(certificate().validityInterval(0, 1000).build()),
            HTTPS + "the server's certificate has expired (NotAfter: "),
        row(
            "has a certificate of the future",
            shows(certificate().validityInterval(4_000_000_000_000L, 4_100_000_000_000L).build()),
            HTTPS
                + "the server's certificate is not valid yet: is the clock of this machine right?"
                + " (NotBefore: "),
        row(
            "has a certificate of somebody else",
            shows(
                new HeldCertificate.Builder()
                    .signedBy(TestServer.AUTHORITY)
                    .addSubjectAlternativeName("kubernetes")
                    .build()),
            HTTPS
                + "the server's certificate is not for 127.0.0.1 but for [kubernetes]: use one of its"
                + " names in the server URL, or set the TLS server name"),
        row(
            "has a certificate that nobody vouches for",
            shows(new HeldCertificate.Builder().addSubjectAlternativeName("127.0.0.1").build()),
            HTTPS
                + "the server's certificate is not signed by an authority that is trusted (configured"
                + " is (inline, "),
        row(
            "has a certificate, and no authority is configured",
            test ->
                RestConfig.builder(test.server(TestServer.start(TestServer.Wire.HTTP_2)).url())
                    .build(),
            HTTPS
                + "the server's certificate is not signed by an authority that is trusted (those of"
                + " the JDK, as no certificate authority is configured)"));
  }

  /* --------------- Answers --------------- */

  private static Mishap answers(int code, String type, String body) {
    return answers(
        new MockResponse.Builder().code(code).setHeader("Content-Type", type).body(body).build());
  }

  private static Mishap answers(MockResponse answer) {
    return test ->
        test.server(TestServer.start(TestServer.Wire.HTTP_1_1)).always(answer).config().build();
  }

  static Stream<Arguments> answers() {
    return Stream.of(
        row(
            "a web page that tells of an error",
            answers(502, "text/html", "<html><h1>502 Bad Gateway</h1></html>"),
            "an error on the server (\"unknown\") has prevented the request from succeeding: "
                + HTTP
                + "what answers is not an API server but a web page (502 Bad Gateway): check the URL"),
        row(
            "a web page",
            answers(200, "text/html; charset=utf-8", "<html><title>Please log in</title></html>"),
            HTTP
                + "what answers is not an API server but a web page (Please log in): check the URL"),
        row(
            "a redirection",
            answers(
                new MockResponse.Builder()
                    .code(302)
                    .setHeader("Location", "https://login/?token=secret")
                    .build()),
            "the server responded with the status code 302 but did not return more information: "
                + HTTP
                + "it redirects to https://login/, which is not followed; is the server URL right?"),
        row(
            "half of a body",
            raw("http", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"kind\":"),
            HTTP + "the answer broke off after 8 bytes (unexpected end of stream)"),
        row(
            "half of a chunk",
            raw("http", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{\"kind\":"),
            HTTP + "the answer broke off after 8 bytes (unexpected end of stream)"),
        row(
            "half of an object",
            answers(200, "application/json", "{\"kind\":"),
            HTTP + "the answer cannot be read: "),
        row(
            "no JSON",
            answers(200, "application/json", "hello"),
            HTTP + "the answer cannot be read: "),
        row(
            "nothing",
            answers(200, "application/json", ""),
            HTTP + "0-length response with status code 200"),
        row(
            "what is no gzip",
            answers(
                new MockResponse.Builder()
                    .setHeader("Content-Encoding", "gzip")
                    .setHeader("Content-Type", "application/json")
                    .body(new Buffer().writeUtf8("{\"kind\":\"Pod\", \"a\": \"b\"}"))
                    .build()),
            HTTP + "the answer broke off after 0 bytes ("),
        row(
            "that it does not know us",
            answers(401, "text/plain", "Unauthorized"),
            "the server has asked for the client to provide credentials"
                + " (GET http://127.0.0.1:PORT/x): this client has no"
                + " credentials configured"),
        row(
            "that something is not there",
            answers(404, "text/plain", "404 page not found\n"),
            "the server could not find the requested resource (GET http://127.0.0.1:PORT/x)"));
  }

  /* --------------- Proxies --------------- */

  private RestConfig by(String scheme, RawServer.Misbehaviour proxy) throws IOException {
    String url = raw("http", proxy).build().server().toString();
    return RestConfig.builder("https://127.0.0.1:1")
        .proxy(URI.create(url.replaceFirst("http", scheme)))
        .build();
  }

  static Stream<Arguments> proxies() {
    String get = "GET https://127.0.0.1:1/x: ";
    return Stream.of(
        row(
            "is absent",
            test ->
                RestConfig.builder("https://127.0.0.1:1")
                    .proxy(URI.create("http://me:hunter2@127.0.0.1:" + test.free()))
                    .build(),
            get
                + "nothing listens at the proxy http://127.0.0.1:PORT (of proxy-url): is it up, and"
                + " is this its address?"),
        row(
            "is absent, and speaks SOCKS",
            test ->
                RestConfig.builder("https://127.0.0.1:1")
                    .proxy(URI.create("socks5://127.0.0.1:" + test.free()))
                    .build(),
            get
                + "nothing listens at the proxy socks5://127.0.0.1:PORT (of proxy-url): is it up, and"
                + " is this its address?"),
        row(
            "has no address",
            test ->
                RestConfig.builder("https://127.0.0.1:1")
                    .proxy(URI.create("http://no-such-proxy.invalid:3128"))
                    .build(),
            get
                + "the proxy http://no-such-proxy.invalid:3128 (of proxy-url) has a host name without"
                + " an address"),
        row(
            "wants a password",
            test ->
                test.by(
                    "http",
                    RawServer.send(
                        "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length:"
                            + " 0\r\n\r\n")),
            get
                + "the proxy http://127.0.0.1:PORT (of proxy-url) wants a user name and a password,"
                + " and not what its URL has: write them as in http://user:password@host"),
        row(
            "refuses",
            test -> test.by("http", RawServer.send("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n")),
            get
                + "the proxy http://127.0.0.1:PORT (of proxy-url) does not connect us to 127.0.0.1:1"
                + " (Unexpected response code for CONNECT: 403): ask who runs it"),
        row(
            "is none",
            test -> RestConfig.builder("https://h").proxy(URI.create("ftp://p")).build(),
            "the proxy is no http, https or socks5 URL with a host"));
  }

  @ParameterizedTest
  @MethodSource({"kubeconfigs", "plugins", "servers", "answers", "proxies"})
  void mishap_isExplained(Mishap mishap, String text) throws Exception {
    String said = said(mishap).replaceAll("(127\\.0\\.0\\.1:|port )" + port + "\\b", "$1PORT");

    if (text.endsWith("(") || text.endsWith(": ") || text.endsWith(", ")) {
      assertThat(said).startsWith(text); // What follows is the JDK's, or a time.
    } else {
      assertThat(said.replaceAll("NotBefore: [^)]*", "NotBefore: ")).isEqualTo(text);
    }
  }

  private String said(Mishap mishap) throws Exception {
    try {
      RestConfig config = mishap.prepare(this);
      try (RESTClient client = RESTClient.create(config, new RecordingClock(), timeouts)) {
        client.get().absPath("/x").maxRetries(0).execute().into(Unstructured.CODEC);
      }
      return "nothing";
    } catch (KubernetesException e) {
      return String.valueOf(e.getMessage()).replace(directory.toString(), "DIR");
    }
  }
}
