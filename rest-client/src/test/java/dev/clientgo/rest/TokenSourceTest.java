package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.config.TokenSource;
import dev.clientgo.rest.internal.auth.CachedToken;
import dev.clientgo.rest.internal.auth.Credential;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A function that provides bearer tokens: when it is called, and what its failures do. */
@Timeout(300)
final class TokenSourceTest {

  private final FakeClock clock = FakeClock.create();
  private final AtomicInteger calls = new AtomicInteger();

  private CachedToken counting() {
    return CachedToken.of(() -> " t" + calls.incrementAndGet() + "\n", "", clock);
  }

  @Test
  void source_isCalledAgain_afterFiftySeconds() throws Exception {
    CachedToken token = counting();
    assertThat(token.current()).isEqualTo(Credential.bearer("t1"));
    clock.advance(Duration.ofSeconds(49));
    assertThat(token.current()).isEqualTo(Credential.bearer("t1"));
    clock.advance(Duration.ofSeconds(1));
    assertThat(token.current()).isEqualTo(Credential.bearer("t2"));
  }

  @Test
  void source_isCalledAtOnce_whenItsTokenIsRejected() throws Exception {
    try (TestServer server = TestServer.start(TestServer.Wire.HTTP_1_1)) {
      server.enqueue(
          TestServer.json(200, "{}"),
          new MockResponse.Builder().code(401).build(),
          TestServer.json(200, "{}"));
      RestConfig config =
          server.config().bearerTokenSource(() -> "t" + calls.incrementAndGet()).build();
      try (RESTClient client = RESTClient.create(config)) {
        assertThat(calls).hasValue(0);
        client.get().absPath("/1").execute();
        client.get().absPath("/2").execute();
      }
      List<String> sent = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        sent.add(server.takeRequest().getHeaders().get("Authorization"));
      }
      assertThat(sent).containsExactly("Bearer t1", "Bearer t1", "Bearer t2");
    }
  }

  @Test
  void failure_leavesTheLastToken() throws Exception {
    AtomicReference<TokenSource> source = new AtomicReference<>(() -> "one");
    CachedToken token = CachedToken.of(() -> source.get().token(), "", clock);
    assertThat(token.current()).isEqualTo(Credential.bearer("one"));

    source.set(
        () -> {
          throw new IOException("vault is sealed");
        });
    clock.advance(Duration.ofMinutes(1));
    assertThat(token.current()).isEqualTo(Credential.bearer("one"));

    source.set(() -> "two");
    assertThat(token.current()).isEqualTo(Credential.bearer("two"));
  }

  @Test
  void failure_withoutAToken_namesTheSource() {
    TokenSource sealed =
        () -> {
          throw new IOException("vault is sealed");
        };
    assertThatThrownBy(() -> CachedToken.of(sealed, " (vault of shop)", clock).current())
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "cannot get a bearer token from the token source (vault of shop): vault is sealed")
        .hasCauseInstanceOf(IOException.class);
    assertThatThrownBy(() -> CachedToken.of(() -> "", "", clock).current())
        .hasMessage("cannot get a bearer token from the token source: it is empty");
    assertThatThrownBy(() -> CachedToken.of(() -> "SECRET\nEvil: x", "", clock).current())
        .hasMessage("cannot get a bearer token from the token source: it has more than one line");
  }

  @Test
  void failure_isSharedByTheThreadsThatWaitedForIt() throws Exception {
    CountDownLatch fail = new CountDownLatch(1);
    CachedToken token =
        CachedToken.of(
            () -> {
              calls.incrementAndGet();
              fail.await();
              throw new IOException("vault is sealed");
            },
            "",
            clock);
    List<TestThread<Credential>> threads = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      threads.add(TestThread.start(token::current).awaitIn(i == 0 ? "await" : "lockInterruptibly"));
    }
    fail.countDown();

    for (TestThread<Credential> thread : threads) {
      assertThat(thread.failure()).hasMessageContaining("vault is sealed");
    }
    assertThat(calls).hasValue(1);
  }

  @Test
  void interruption_endsTheCallAndTheWait() throws Exception {
    CachedToken token =
        CachedToken.of(
            () -> {
              new CountDownLatch(1).await();
              return "late";
            },
            "",
            clock);
    TestThread<Credential> caller = TestThread.start(token::current).awaitIn("await");
    TestThread<Credential> waiter = TestThread.start(token::current).awaitIn("lockInterruptibly");

    waiter.interrupt();
    assertThat(waiter.failure()).isInstanceOf(InterruptedException.class);
    caller.interrupt();
    assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
  }

  @Test
  void sourceThatUsesItsOwnClient_isToldSo() throws Exception {
    AtomicReference<RESTClient> client = new AtomicReference<>();
    try (TestServer server = TestServer.start(TestServer.Wire.HTTP_1_1)) {
      client.set(
          RESTClient.create(
              server
                  .config()
                  .bearerTokenSource(
                      () -> client.get().get().absPath("/token").execute().toString())
                  .build()));
      try (RESTClient closed = client.get()) {
        assertThatThrownBy(() -> closed.get().absPath("/x").execute())
            .isInstanceOf(ConfigException.class)
            .hasMessageContaining("give it a separate client");
      }
    }
  }

  @Test
  void source_besideAnotherCredential_isAnError() {
    List<Consumer<RestConfig.Builder>> others =
        List.of(
            c -> c.bearerToken("t"),
            c -> c.bearerTokenFile(java.nio.file.Path.of("token")),
            c -> c.basicAuth("me", "SECRET"));
    for (Consumer<RestConfig.Builder> other : others) {
      RestConfig.Builder config = RestConfig.builder("https://h").bearerTokenSource(() -> "s");
      other.accept(config);
      assertThatThrownBy(config::build)
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("both a token source and another credential")
          .hasMessageContaining("anonymous()");
    }

    RestConfig config = RestConfig.builder("https://h").bearerTokenSource(() -> "s").build();
    assertThat(config.toString()).contains("bearerTokenSource=--- REDACTED ---");
    assertThat(config.toBuilder().build().bearerTokenSource()).isNotNull();
    assertThat(config.anonymous().bearerTokenSource()).isNull();
    assertThat(
            RestConfig.builder("https://u:p@h")
                .bearerTokenSource(() -> "s")
                .build()
                .bearerTokenSource())
        .isNull();
  }
}
