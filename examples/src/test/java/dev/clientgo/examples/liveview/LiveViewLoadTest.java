package dev.clientgo.examples.liveview;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.liveview.LiveView;
import dev.clientgo.rest.RESTClient;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The page under load: {@code -Dliveview.load=SECONDS} changes 1,000 pods a second for that time,
 * and prints what the browser used of a core.
 */
@EnabledIfSystemProperty(named = "liveview.load", matches = "\\d+")
final class LiveViewLoadTest {

  private static final int RATE = 1000;

  @Test
  void page_atAThousandEventsASecond_losesNothingSilently() throws Exception {
    int seconds = Integer.getInteger("liveview.load");
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig());
        PodPipeline pipeline = new PodPipeline(Cluster.of(server), client, null);
        LiveView view = LiveView.start()) {
      pipeline.show(view);
      try (Chromium chromium = Chromium.start()) {
        Tab tab = chromium.newTab();
        tab.size(1600, 1000);
        tab.open(view.url().toString());
        Thread changes = new Thread(() -> change(pipeline));
        changes.start();
        tab.await("picture.log.rate > 1000");
        tab.eval(PAUSE_UNTIL_STARTED);
        Duration pageBefore = chromium.processorTime();
        Duration programBefore = ProcessHandle.current().info().totalCpuDuration().orElseThrow();
        long before = frames(tab);
        tab.eval("window.came = 0;" + " events.addEventListener('message', () => came++)");
        tab.eval("new Promise(done => setTimeout(done, " + Math.min(seconds, 50) + "000))");
        tab.eval("new Promise(done => setTimeout(done, " + Math.max(0, seconds - 50) + "000))");
        long frames = frames(tab) - before;
        Duration page = chromium.processorTime().minus(pageBefore);
        Duration program =
            ProcessHandle.current().info().totalCpuDuration().orElseThrow().minus(programBefore);
        Object pictures = tab.eval("came");
        Object perSecond = tab.eval(FRAMES_OF_FIVE_SECONDS);
        changes.interrupt();
        changes.join();
        System.out.printf(
            Locale.ROOT,
            "live view: seconds=%d events=%d pictures=%s frames_per_second=%s page_percent_of_a_core=%.1f"
                + " program_percent_of_a_core=%.1f%n",
            seconds,
            frames,
            pictures,
            perSecond,
            page.toMillis() / 10.0 / seconds,
            program.toMillis() / 10.0 / seconds);

        tab.await(
            "picture.informers[0].queue.size === 0 && picture.queues[0].dirty.size === 0"
                + " && picture.informers[0].version === picture.informers[0].store.version");
        // Every step was counted, and those that are not listed are told.
        assertThat(
                tab.eval(
                    "Object.values(picture.log.counts).reduce((a, b) => a + b) - picture.log.total"))
            .isEqualTo(0L);
        assertThat((Boolean) tab.eval("picture.log.skipped > 0")).isTrue();
        tab.await(
            "document.getElementById('log-sample').textContent.includes(picture.log.skipped)");
        assertThat(tab.errors()).isEmpty();
        tab.close();
      }
    }
  }

  /** The start of the browser takes seconds of processor time, which are not those of the page. */
  private static final String PAUSE_UNTIL_STARTED = "new Promise(done => setTimeout(done, 20000))";

  /** Counts after the processor time was read, because counting makes the page draw each frame. */
  private static final String FRAMES_OF_FIVE_SECONDS =
      """
      new Promise(done => {
        let frames = 0;
        const start = performance.now();
        const next = now => {
          if (now - start > 5000) done(Math.round(frames / (now - start) * 1000));
          else { frames++; requestAnimationFrame(next); }
        };
        requestAnimationFrame(next);
      })
      """;

  private static long frames(Tab tab) throws Exception {
    return ((Number) tab.eval("picture.informers[0].received")).longValue();
  }

  private static void change(PodPipeline pipeline) {
    try {
      pipeline.change(RATE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
