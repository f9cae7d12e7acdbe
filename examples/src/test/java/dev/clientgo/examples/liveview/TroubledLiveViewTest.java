package dev.clientgo.examples.liveview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.liveview.LiveView;
import dev.clientgo.liveview.ServerState;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The page never looks live while its picture is old; names of objects are texts. */
@Timeout(180)
final class TroubledLiveViewTest {

  private final CountDownLatch hang = new CountDownLatch(1);
  private Chromium chromium;
  private Tab tab;

  @BeforeEach
  void startBrowser() throws Exception {
    assumeTrue(
        Chromium.installed().isPresent(), "no Chromium on the PATH: apt-get install chromium");
    chromium = Chromium.start();
    tab = chromium.newTab();
    tab.size(1440, 900);
  }

  @AfterEach
  void stop() {
    hang.countDown();
    if (chromium != null) {
      tab.close();
      chromium.close();
    }
  }

  private void open(LiveView view) throws Exception {
    tab.open(view.url() + "?lang=en");
    tab.await("picture && " + STATUS + " === 'live'");
  }

  private static final String STATUS = "document.getElementById('status').textContent";

  private void awaitOld(String part) throws Exception {
    tab.await(STATUS + ".includes(\"" + part + "\") && document.body.classList.contains('old')");
  }

  @Test
  void program_ends_thePageSaysSo_andShowsTheNextOne() throws Exception {
    LiveView first = LiveView.start();
    first.queue("first");
    for (int i = 0; i < 10; i++) {
      first.written("first", "update", "default/web", "200");
    }
    open(first);

    first.close();
    awaitOld("Connection lost");

    try (LiveView second = LiveView.builder().port(first.url().getPort()).start()) {
      second.queue("second");
      tab.await("picture.queues[0].name === 'second' && !document.body.classList.contains('old')");
      assertThat(tab.eval("pictures.every(each => each.total === 0)")).isEqualTo(true);
    }
  }

  /** The next program has made as many steps as the one before, so its pictures look later. */
  @Test
  void program_thatFollows_isNotMixedWithTheOneBefore() throws Exception {
    LiveView first = LiveView.builder().server(() -> new ServerState("1", Map.of(), 0)).start();
    open(first);

    first.close();

    try (LiveView second =
        LiveView.builder()
            .port(first.url().getPort())
            .server(() -> new ServerState("2", Map.of(), 0))
            .start()) {
      tab.await("picture.server.version === '2'");
      assertThat(tab.eval("pictures.every(each => JSON.parse(each.text).server.version === '2')"))
          .isEqualTo(true);
      assertThat(second.url()).isEqualTo(first.url());
    }
  }

  /** Until its first picture, the page shows one of the program before. */
  @Test
  void program_thatFollowsAndHangs_isNeverLive() throws Exception {
    LiveView first = LiveView.start();
    open(first);
    first.close();
    awaitOld("Connection lost");
    tab.eval(
        "confirmed = performance.now() - 600000, seen = [],"
            + " new MutationObserver(() => seen.push("
            + STATUS
            + ")).observe(document.getElementById('status'), { childList: true }), 0");

    try (LiveView second =
        LiveView.builder()
            .port(first.url().getPort())
            .server(
                () -> {
                  awaitQuietly(hang);
                  return new ServerState("2", Map.of(), 0);
                })
            .start()) {
      awaitOld("the function that reads the server’s state does not return");

      assertThat(tab.eval("seen.join()").toString())
          .containsPattern("This picture is 6\\d\\d s old")
          .doesNotContain("live");
      hang.countDown();
      tab.await(STATUS + " === 'live' && picture.server.version === '2'");
      assertThat(second.url()).isEqualTo(first.url());
    }
  }

  /** It stays the same while the oldest pictures are forgotten. */
  @Test
  void picture_thatIsForgottenWhileItIsShown_keepsItsStep() throws Exception {
    try (LiveView view = LiveView.start()) {
      view.written("pods", "update", "default/web", "200");
      open(view);
      tab.eval("events.close(), travel(0), travel(pictures.length - 1)");

      tab.eval(
          "Array.from({ length: 4100 }, (none, i) => keep(pictures[0].text,"
              + " { ...picture, log: { ...picture.log, total: 1000 + i } })), drawTime()");

      assertThat(tab.eval("picture.log.total + ' ' + pictures.length")).isEqualTo("1 4000");
      assertThat(tab.eval("document.getElementById('time-text').textContent").toString())
          .contains("step 1 of 5099");
    }
  }

  /** A server that answers with an error ends the browser's own attempts; the page still tries. */
  @Test
  void stream_endedByAnError_isOpenedAgain() throws Exception {
    try (LiveView view = LiveView.start()) {
      open(view);
      tab.eval("events.close(), events.onerror()");
      awaitOld("Connection lost");

      tab.await(STATUS + " === 'live'");
    }
  }

  @Test
  void program_thatIsSilent_isSaid() throws Exception {
    try (LiveView view = LiveView.start()) {
      open(view);
      tab.eval("events.onmessage = null, heard = performance.now() - 60000, drawStatus()");

      awaitOld("has not answered for 60 s");
    }
  }

  @Test
  void supplierOfTheServer_thatHangs_isSaid_andThePageIsLiveAgainAfterwards() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    try (LiveView view =
        LiveView.builder()
            .server(
                () -> {
                  if (calls.incrementAndGet() == 20) {
                    awaitQuietly(hang);
                  }
                  return new ServerState("1", Map.of(), 0);
                })
            .start()) {
      open(view);

      awaitOld("the function that reads the server’s state does not return");

      hang.countDown();
      tab.await(STATUS + " === 'live' && !document.body.classList.contains('old')");
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void names_withHtml_areTexts() throws Exception {
    try (LiveView view = LiveView.start()) {
      String name =
          "<img src=x onerror=\"document.title='bad'\"><script>document.title='bad'</script>";
      view.queue(name).added(name);
      open(view);
      tab.await("document.querySelector('.queue-lane .chip')");

      assertThat(tab.eval("document.querySelector('.queue-lane .chip').textContent"))
          .isEqualTo(name);
      assertThat(tab.eval("document.title")).isEqualTo("An informer at work");
      assertThat(tab.eval("document.querySelectorAll('#pipeline img, #pipeline script').length"))
          .isEqualTo(0L);
      assertThat(tab.errors()).isEmpty();
    }
  }
}
