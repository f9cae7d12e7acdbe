package dev.clientgo.rest;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.rest.config.RestConfig;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLServerSocketFactory;
import mockwebserver3.RecordedRequest;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests through a proxy: by CONNECT in plain and by TLS, and by SOCKS 5. */
@Timeout(300)
final class ProxyTest {

  private TestServer server;
  private final List<String> asked = new CopyOnWriteArrayList<>();

  @BeforeEach
  void start() throws Exception {
    server = TestServer.start(TestServer.Wire.HTTP_2).always(TestServer.json(200, "{}"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** Takes connections one after the other and answers each with a tunnel. */
  private void serve(ServerSocket listener, Handshake handshake) {
    DaemonThreads.named("test-proxy-")
        .newThread(
            () -> {
              while (!listener.isClosed()) {
                try {
                  Socket from = listener.accept();
                  Socket to = handshake.accept(from);
                  if (to == null) {
                    from.close();
                    continue;
                  }
                  pipe(from, to);
                  pipe(to, from);
                } catch (IOException e) {
                  // The client is gone, or the test is over.
                }
              }
            })
        .start();
  }

  private interface Handshake {
    /** Returns the connection to the target, null to refuse. */
    @org.jspecify.annotations.Nullable
    Socket accept(Socket from) throws IOException;
  }

  private static void pipe(Socket from, Socket to) {
    DaemonThreads.named("test-proxy-pipe-")
        .newThread(
            () -> {
              try (from;
                  to) {
                from.getInputStream().transferTo(to.getOutputStream());
              } catch (IOException e) {
                // The end of the connection.
              }
            })
        .start();
  }

  private static String head(Socket socket) throws IOException {
    StringBuilder head = new StringBuilder();
    InputStream in = socket.getInputStream();
    while (head.indexOf("\r\n\r\n") < 0) {
      int c = in.read();
      if (c < 0) {
        throw new IOException("closed");
      }
      head.append((char) c);
    }
    return head.toString();
  }

  private Socket connect(Socket from) throws IOException {
    String head = head(from);
    asked.add(head);
    from.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(ISO_8859_1));
    return new Socket(InetAddress.getLoopbackAddress(), server.mock().getPort());
  }

  private int call(RestConfig.Builder config) throws InterruptedException {
    try (RESTClient client = RESTClient.create(config.build())) {
      return client.get().absPath("/x").execute().statusCode();
    }
  }

  private static HeldCertificate certificate(String name) {
    return new HeldCertificate.Builder()
        .signedBy(TestServer.AUTHORITY)
        .addSubjectAlternativeName(name)
        .build();
  }

  private static SSLServerSocketFactory tls(HeldCertificate certificate) {
    return new HandshakeCertificates.Builder()
        .heldCertificate(certificate)
        .build()
        .sslContext()
        .getServerSocketFactory();
  }

  @Test
  void http_connects() throws Exception {
    try (ServerSocket proxy = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      serve(proxy, this::connect);

      assertThat(
              call(server.config().proxy(URI.create("http://127.0.0.1:" + proxy.getLocalPort()))))
          .isEqualTo(200);
    }
    assertThat(asked).singleElement().asString().startsWith("CONNECT 127.0.0.1:");
  }

  @Test
  void http_withAPassword_sendsItWhenAsked() throws Exception {
    try (ServerSocket proxy = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      serve(
          proxy,
          from -> {
            String head = head(from);
            asked.add(head);
            if (!head.contains("Proxy-Authorization: Basic bWU6c2VjcmV0\r\n")) {
              from.getOutputStream()
                  .write(
                      ("HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic"
                              + " realm=x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                          .getBytes(ISO_8859_1));
              return null;
            }
            from.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(ISO_8859_1));
            return new Socket(InetAddress.getLoopbackAddress(), server.mock().getPort());
          });

      assertThat(
              call(
                  server
                      .config()
                      .proxy(URI.create("http://me:secret@127.0.0.1:" + proxy.getLocalPort()))))
          .isEqualTo(200);
    }
  }

  /** There is no tunnel: the proxy sees each request, and OkHttp sends no body twice. */
  @Test
  void http_withAPassword_toAServerWithoutTls_sendsItEachTime() throws Exception {
    try (TestServer proxy = TestServer.start(TestServer.Wire.HTTP_1_1)) {
      proxy.always(TestServer.json(200, "{}"));
      RestConfig config =
          RestConfig.builder("http://server.example")
              .proxy(URI.create("http://me:secret@127.0.0.1:" + proxy.mock().getPort()))
              .build();
      try (RESTClient client = RESTClient.create(config)) {
        client.post().absPath("/x").body(new byte[] {'1'}, "text/plain").execute();
      }

      RecordedRequest request = proxy.takeRequest();
      assertThat(request.getMethod()).isEqualTo("POST");
      assertThat(request.getHeaders().get("Host")).isEqualTo("server.example");
      assertThat(request.getHeaders().get("Proxy-Authorization")).isEqualTo("Basic bWU6c2VjcmV0");
      assertThat(proxy.requestCount()).isEqualTo(1);
    }
  }

  @Test
  void https_connectsByTls() throws Exception {
    try (ServerSocket proxy =
        tls(certificate("127.0.0.1")).createServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      serve(proxy, this::connect);

      assertThat(
              call(server.config().proxy(URI.create("https://127.0.0.1:" + proxy.getLocalPort()))))
          .isEqualTo(200);
    }
    assertThat(asked).singleElement().asString().startsWith("CONNECT 127.0.0.1:");
  }

  @Test
  void https_ofAnother_isNotBelieved() throws Exception {
    try (ServerSocket proxy =
        tls(certificate("proxy.example.com"))
            .createServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      serve(proxy, this::connect);

      assertThatThrownBy(
              () ->
                  call(
                      server
                          .config()
                          .proxy(URI.create("https://127.0.0.1:" + proxy.getLocalPort()))))
          .isInstanceOf(TransportException.class);
    }
    assertThat(asked).isEmpty();
  }

  @Test
  void socks5_connects() throws Exception {
    try (ServerSocket proxy = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      serve(
          proxy,
          from -> {
            DataInputStream in = new DataInputStream(from.getInputStream());
            int version = in.readByte();
            in.readFully(new byte[in.readByte()]);
            from.getOutputStream().write(new byte[] {5, 0});
            byte[] request = new byte[4];
            in.readFully(request);
            in.readFully(new byte[(request[3] == 1 ? 4 : in.readByte()) + 2]);
            asked.add("SOCKS " + version);
            from.getOutputStream().write(new byte[] {5, 0, 0, 1, 127, 0, 0, 1, 0, 0});
            return new Socket(InetAddress.getLoopbackAddress(), server.mock().getPort());
          });

      assertThat(
              call(server.config().proxy(URI.create("socks5://127.0.0.1:" + proxy.getLocalPort()))))
          .isEqualTo(200);
    }
    assertThat(asked).containsExactly("SOCKS 5");
  }

  /** A SOCKS 5 proxy that answers the request for a connection with a code. */
  private Socket socks(Socket from, int code) throws IOException {
    DataInputStream in = new DataInputStream(from.getInputStream());
    in.readByte();
    byte[] methods = new byte[in.readByte()];
    in.readFully(methods);
    from.getOutputStream().write(new byte[] {5, 2});
    in.readByte();
    String user = new String(in.readNBytes(in.readUnsignedByte()), ISO_8859_1);
    String password = new String(in.readNBytes(in.readUnsignedByte()), ISO_8859_1);
    boolean known = password.equals("p:w");
    from.getOutputStream().write(new byte[] {1, (byte) (known ? 0 : 1)});
    if (!known) {
      return null;
    }
    byte[] request = in.readNBytes(4);
    boolean isName = request[3] == 3;
    byte[] address = in.readNBytes(isName ? in.readUnsignedByte() : 4);
    int port = in.readUnsignedShort();
    String name = isName ? new String(address, ISO_8859_1) : address.length + " bytes";
    asked.add("methods " + methods.length + " user " + user + " to " + name + " port " + port);
    from.getOutputStream().write(new byte[] {5, (byte) code, 0, 1, 127, 0, 0, 1, 0, 0});
    return code == 0 ? new Socket(InetAddress.getLoopbackAddress(), server.mock().getPort()) : null;
  }

  private static URI socksUrl(ServerSocket proxy, String user) {
    return URI.create("socks5://" + user + "@127.0.0.1:" + proxy.getLocalPort());
  }

  /** The name of the server is for the proxy to look up: no DNS of ours knows it. */
  @Test
  void socks5_withAPassword_sendsIt_andTheNameOfTheServer() throws Exception {
    try (ServerSocket proxy = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      serve(proxy, from -> socks(from, 0));

      assertThat(call(server.config().proxy(socksUrl(proxy, "me:p:w")))).isEqualTo(200);
      assertThat(
              call(
                  server
                      .config()
                      .server("https://kubernetes.default.svc:6443")
                      .proxy(socksUrl(proxy, "me:p:w"))))
          .isEqualTo(200);
    }
    assertThat(asked)
        .containsExactly(
            "methods 1 user me to 4 bytes port " + server.mock().getPort(),
            "methods 1 user me to kubernetes.default.svc port 6443");
  }

  @Test
  void socks5_thatDoesNotConnect_saysWhy() throws Exception {
    try (ServerSocket proxy = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      serve(proxy, from -> socks(from, 2));
      String to =
          "the proxy socks5://127.0.0.1:"
              + proxy.getLocalPort()
              + " (of proxy-url) does not connect to 127.0.0.1:"
              + server.mock().getPort();

      assertThatThrownBy(() -> call(server.config().proxy(socksUrl(proxy, "me:p:w"))))
          .isInstanceOf(TransportException.class)
          .hasMessageEndingWith(to + " (SOCKS: its rules do not allow it): ask its operator");
      assertThatThrownBy(() -> call(server.config().proxy(socksUrl(proxy, "me:hunter2"))))
          .isInstanceOf(TransportException.class)
          .hasMessageEndingWith(
              to + " (SOCKS: it does not accept the user name and the password): ask its operator")
          .hasMessageNotContaining("hunter2");
    }
  }

  private static final String LONGEST = "x".repeat(255);

  static List<Arguments> longNames() {
    return List.of(
        argumentSet("user", LONGEST + "x:p", "user name", 256, 1),
        argumentSet("password", "me:" + LONGEST + "x", "password", 256, 0),
        argumentSet("two bytes a letter", "me:" + "%C3%A9".repeat(128), "password", 256, 0),
        argumentSet("no user", ":p", "user name", 0, 1));
  }

  private static RestConfig throughSocks(String user) {
    return RestConfig.builder("http://10.0.0.1")
        .proxy(URI.create("socks5://" + user + "@p"))
        .build();
  }

  /** The protocol has one byte for the length. */
  @ParameterizedTest
  @MethodSource("longNames")
  void socks5_withWhatItCannotCarry_isRefused(String user, String what, int bytes, int min) {
    assertThatThrownBy(() -> RESTClient.create(throughSocks(user)))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "the %s for the SOCKS proxy p has %d bytes; SOCKS 5 carries %d to 255",
            what, bytes, min);
  }

  @Test
  void socks5_withTheLongestNames_isFine() {
    RESTClient.create(throughSocks(LONGEST + ":" + LONGEST)).close();
  }

  /** The client decodes the user in the URL of a proxy, above all a colon in the name. */
  @Test
  void socks5_withEncodedNames_sendsThemDecoded() throws Exception {
    try (ServerSocket proxy = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      serve(proxy, from -> socks(from, 0));

      assertThat(call(server.config().proxy(socksUrl(proxy, "a%3Ab+c:p%3Aw")))).isEqualTo(200);
    }
    assertThat(asked).singleElement().asString().startsWith("methods 1 user a:b+c to ");
  }

  @Test
  void proxy_thatCannotBe_isRefused() {
    assertThatThrownBy(() -> call(server.config().proxy(URI.create("ftp://p"))))
        .isInstanceOf(ConfigException.class)
        .hasMessage("the proxy is not an http, https or socks5 URL with a host");
  }
}
