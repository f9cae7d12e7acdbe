package dev.clientgo.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.auth.ProviderConnection;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.Protocol;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;

/** A scripted API server on localhost. */
public final class TestServer implements AutoCloseable {

  /** How client and server talk to each other. */
  public enum Wire {
    HTTP_1_1,
    HTTP_1_1_TLS,
    HTTP_2
  }

  /** From 2001 to 2096: a clock that is set back a little makes nothing invalid. */
  private static final long BEGIN = 1_000_000_000_000L;

  private static final long END = 4_000_000_000_000L;

  /** Signs the certificates of these servers. Made once: keys take a moment. */
  public static final HeldCertificate AUTHORITY =
      new HeldCertificate.Builder()
          .certificateAuthority(0)
          .commonName("test-ca")
          .validityInterval(BEGIN, END)
          .build();

  private static final HeldCertificate SERVER =
      new HeldCertificate.Builder()
          .signedBy(AUTHORITY)
          .commonName("test-server")
          .validityInterval(BEGIN, END)
          .addSubjectAlternativeName("127.0.0.1")
          .addSubjectAlternativeName("localhost")
          .addSubjectAlternativeName("kubernetes.default.svc")
          .build();

  private final MockWebServer server = new MockWebServer();
  private final Wire wire;

  private TestServer(Wire wire) {
    this.wire = wire;
  }

  public static TestServer start(Wire wire) throws IOException {
    return start(wire, SERVER);
  }

  public static TestServer start(Wire wire, HeldCertificate certificate) throws IOException {
    TestServer test = new TestServer(wire);
    if (wire != Wire.HTTP_1_1) {
      test.server.useHttps(
          new HandshakeCertificates.Builder()
              .heldCertificate(certificate)
              .addTrustedCertificate(AUTHORITY.certificate())
              .build()
              .sslSocketFactory());
      test.server.setProtocols(
          wire == Wire.HTTP_2
              ? List.of(Protocol.HTTP_2, Protocol.HTTP_1_1)
              : List.of(Protocol.HTTP_1_1));
    }
    test.server.start(java.net.InetAddress.getLoopbackAddress(), 0);
    return test;
  }

  public MockWebServer mock() {
    return server;
  }

  /** Returns a configuration of a client for this server. */
  public RestConfig.Builder config() {
    RestConfig.Builder config = RestConfig.builder(url());
    if (wire != Wire.HTTP_1_1) {
      config.certificateAuthorityData(AUTHORITY.certificatePem().getBytes(UTF_8));
    }
    return config;
  }

  public String url() {
    return (wire == Wire.HTTP_1_1 ? "http" : "https") + "://127.0.0.1:" + server.getPort();
  }

  /** Gives these answers, one after the other. */
  public TestServer enqueue(MockResponse... responses) {
    for (MockResponse response : responses) {
      server.enqueue(response);
    }
    return this;
  }

  /** Gives the same answer each time. */
  public TestServer always(MockResponse response) {
    server.setDispatcher(
        new Dispatcher() {
          @Override
          public MockResponse dispatch(RecordedRequest request) {
            return response;
          }
        });
    return this;
  }

  public int requestCount() {
    return server.getRequestCount();
  }

  /** Returns the next request that has come in. */
  public RecordedRequest takeRequest() throws InterruptedException {
    RecordedRequest request = server.takeRequest(30, TimeUnit.SECONDS);
    if (request == null) {
      throw new AssertionError("no request within 30 s");
    }
    return request;
  }

  /** Returns an answer in JSON. */
  public static MockResponse json(int code, String body) {
    return new MockResponse.Builder()
        .code(code)
        .setHeader("Content-Type", "application/json")
        .body(body)
        .build();
  }

  /** Returns a connection of a {@link RESTClient}, as for an identity provider. */
  public static ProviderConnection connect(RestConfig config) {
    return RESTClient.providerConnection(config);
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (AssertionError e) {
      // It gives its threads five seconds to end, which a machine that stalls may not have.
      assertThat(e).hasMessage("Gave up waiting for queue to shut down");
    }
  }
}
