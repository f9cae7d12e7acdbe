package dev.clientgo.controller.webhook;

import static dev.clientgo.controller.webhook.WebhookCaller.review;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.FakeClock;
import dev.clientgo.controller.internal.http.RequestThreads;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.certificates.TrustedAuthorities;
import dev.clientgo.rest.config.PemSource;
import dev.clientgo.testing.CapturedLog;
import dev.clientgo.testing.Eventually;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that hold connections and do nothing with them: others are answered in time. */
@Timeout(300)
final class SlowClientsTest {

  private static final String PATH = "/validate--v1-configmap";
  private static final int CLIENTS = 250;
  private static final int THREADS = 200;

  private static final ServingCertificate CERTIFICATE = ServingCertificate.selfSigned();

  private final List<Socket> sockets = new ArrayList<>();
  private final FakeClock clock = FakeClock.create();
  private final AtomicInteger hanging = new AtomicInteger();
  private final CountDownLatch end = new CountDownLatch(1);
  private final CapturedLog log = CapturedLog.of(RequestThreads.class);
  private SSLContext tls;
  private WebhookServer server;

  /** Where a client stops. */
  private enum Slow {
    HANDSHAKE,
    HEAD,
    BODY,
    ANSWER,
    WEBHOOK
  }

  @BeforeEach
  void start() throws Exception {
    tls = SSLContext.getInstance("TLS");
    PemSource authority = new PemSource.Data(CERTIFICATE.caBundle().getBytes(US_ASCII));
    tls.init(null, new TrustManager[] {TrustedAuthorities.read(authority)}, null);
    server =
        WebhookServer.builder()
            .address(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .certificate(CERTIFICATE)
            .clock(clock)
            .add(
                Webhook.validating(
                    ConfigMap.TYPE,
                    (map, request) -> {
                      if (map.data().containsKey("hang")) {
                        hang();
                      }
                      return map.data().containsKey("long")
                          ? AdmissionResponse.deny("x".repeat(8 << 20))
                          : AdmissionResponse.allow();
                    }))
            .build();
    server.start();
  }

  /** Waits whatever its thread is told. */
  private void hang() {
    hanging.incrementAndGet();
    while (end.getCount() > 0) {
      try {
        end.await();
      } catch (InterruptedException e) {
        // As code does that knows of no interrupts.
      }
    }
  }

  @AfterEach
  void stop() throws Exception {
    end.countDown();
    for (Socket socket : sockets) {
      socket.close();
    }
    server.close(Duration.ZERO);
    log.close();
  }

  private Socket connect() throws Exception {
    Socket socket = new Socket(server.address().getAddress(), server.address().getPort());
    sockets.add(socket);
    return socket;
  }

  private OutputStream secured() throws Exception {
    Socket plain = connect();
    plain.setReceiveBufferSize(4096);
    SSLSocket socket =
        (SSLSocket) tls.getSocketFactory().createSocket(plain, "localhost", plain.getPort(), true);
    sockets.add(socket);
    socket.startHandshake();
    return socket.getOutputStream();
  }

  private static String head(int length) {
    return "POST "
        + PATH
        + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
        + length
        + "\r\n";
  }

  private void begin(Slow slow) throws Exception {
    switch (slow) {
      case HANDSHAKE -> connect().getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1});
      case HEAD -> secured().write(head(1000).getBytes(UTF_8));
      case BODY -> secured().write((head(1000) + "\r\n{").getBytes(UTF_8));
      case ANSWER -> send(review(Map.of("long", "yes")));
      case WEBHOOK -> send(review(Map.of("hang", "yes")));
    }
  }

  private void send(String review) throws Exception {
    String body = review.replace('\'', '"');
    secured().write((head(body.length()) + "\r\n" + body).getBytes(UTF_8));
  }

  /** Checks that a client is answered when a second has passed of the ten of a slow one. */
  private void assertOtherClientIsAnswered() throws Exception {
    WebhookCaller caller = new WebhookCaller(server, CERTIFICATE.caBundle());
    CompletableFuture<WebhookCaller.Reply> reply =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return caller.post(PATH, review(Map.of()));
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    clock.awaitWaiterWithin(Duration.ofSeconds(1)); // The watchdog knows that requests wait.

    clock.advance(Duration.ofSeconds(1));

    assertThat(reply.get(60, TimeUnit.SECONDS).at("response", "allowed")).isEqualTo("true");
  }

  @ParameterizedTest
  @EnumSource(names = {"HANDSHAKE", "HEAD", "BODY"})
  void manySlowClients_otherClientIsAnswered(Slow slow) throws Exception {
    int clients = slow == Slow.HANDSHAKE ? CLIENTS : THREADS; // More could not handshake.
    for (int i = 0; i < clients; i++) {
      begin(slow);
    }

    assertOtherClientIsAnswered();
    assertThat(log.contains("Clients were too slow")).isTrue();
  }

  @Test
  void webhooksThatHoldAllThreads_areNoRunningServer() throws Exception {
    for (int i = 0; i < THREADS; i++) {
      begin(Slow.WEBHOOK);
    }
    Eventually.await("calls in all threads", () -> hanging.get() == THREADS);
    clock.advance(Duration.ofSeconds(59));
    assertThat(server.isRunning()).isTrue();

    clock.advance(Duration.ofSeconds(1));
    assertThat(server.isRunning()).isFalse();

    end.countDown();
    Eventually.await("free threads", server::isRunning);
  }

  /** Without its watchdog, the server would wait for slow clients for good. */
  @Test
  void loggerThatThrows_otherClientIsAnswered() throws Exception {
    Handler broken =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            throw new IllegalStateException("a broken logger");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(RequestThreads.class.getName());
    logger.addHandler(broken);
    try {
      for (int i = 0; i < CLIENTS; i++) {
        begin(Slow.HANDSHAKE);
      }

      assertOtherClientIsAnswered();
    } finally {
      logger.removeHandler(broken);
    }
  }

  /** Answers of 8 MiB that are not read hold memory, so there are fewer of them. */
  @Test
  void manyClientsThatDoNotRead_otherClientIsAnswered() throws Exception {
    for (int i = 0; i < 20; i++) {
      begin(Slow.ANSWER);
    }

    WebhookCaller caller = new WebhookCaller(server, CERTIFICATE.caBundle());
    assertThat(caller.post(PATH, review(Map.of())).at("response", "allowed")).isEqualTo("true");
    Eventually.await(
        "the end of their time",
        () -> {
          clock.advance(Duration.ofSeconds(1));
          return log.contains("Clients were too slow");
        });
  }
}
