package dev.clientgo.examples.liveview;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.IncidentRecorder;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.Request;
import dev.clientgo.controller.Result;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.liveview.LiveView;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.testing.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page of an incident in a real browser. */
@Timeout(300)
final class IncidentBrowserTest {

  private static final int ESCAPE = 27;

  @TempDir static Path folder;

  private static LiveView view;
  private static Chromium chromium;

  private Tab tab;

  @BeforeAll
  static void recordAndStart() throws Exception {
    assumeTrue(
        Chromium.installed().isPresent(),
        "no Chromium on the PATH, so the page is not tested in a browser: apt-get install"
            + " chromium");
    IncidentRecorder recorder = IncidentRecorder.create();
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig());
        Manager manager = Manager.builder(client).incidents(recorder).build()) {
      manager.add(
          Controller.builder(IncidentBrowserTest::reconcile)
              .named("shops")
              .forKind(ConfigMap.TYPE)
              .build());
      manager.start();
      var maps = client.resource(ConfigMap.TYPE).inNamespace("default");
      maps.create(ConfigMap.of("default", "shop-1", c -> c.data(Map.of("size", "small"))));
      maps.create(ConfigMap.of("default", "broken", c -> c.data(Map.of("size", "small"))));
      Eventually.await("reconciles", () -> recorder.toString().matches(".*reconciles=[5-9].*"));
    }
    Path file = folder.resolve("incident.bin");
    recorder.writeTo(file);
    view = LiveView.builder().incident(file).start();
    chromium = Chromium.start();
  }

  private static Result reconcile(Request request, Context context) throws InterruptedException {
    CachedResource<ConfigMap> maps =
        context.client().resource(ConfigMap.TYPE).inNamespace("default");
    if (request.name().equals("broken")) {
      throw new IllegalStateException("cannot build " + request);
    } else if (request.name().equals("shop-1")) {
      String size = maps.get("shop-1").data().get("size");
      maps.createOrUpdate(
          ConfigMap.of("default", "settings", c -> {}),
          settings -> settings.with(c -> c.data(Map.of("size", size))));
    }
    return Result.done();
  }

  @AfterAll
  static void stop() throws Exception {
    if (chromium != null) {
      chromium.close();
      view.close();
    }
  }

  @BeforeEach
  void openPage() throws Exception {
    tab = chromium.newTab();
    tab.size(1200, 800);
    open("en");
  }

  private void open(String language) throws Exception {
    tab.open(view.url() + "incident?lang=" + language);
    tab.await("document.querySelectorAll('[data-number]').length > 4");
  }

  @AfterEach
  void pageIsSound() throws Exception {
    if (tab != null) {
      assertThat(tab.errors()).isEmpty();
      tab.close();
    }
  }

  private void filter(String text) throws Exception {
    tab.eval(
        "(() => { const f = document.getElementById('filter'); f.value = '"
            + text
            + "'; f.dispatchEvent(new Event('input')); })()");
  }

  @Test
  void reconciles_areListedAsTheyBegan_andFiltered() throws Exception {
    assertThat(tab.eval("document.getElementById('status').textContent").toString())
        .contains(" reconciles; 0 older ones were dropped");
    assertThat(
            tab.eval(
                "[...document.querySelectorAll('[data-number]')].every((b, i) =>"
                    + " b.textContent.startsWith('#' + (i + 1) + ' '))"))
        .isEqualTo(true);

    filter("broken");

    assertThat(tab.eval("document.querySelector('[data-number]').textContent").toString())
        .contains("shops default/broken · ✗ IllegalStateException: cannot build default/broken");
    assertThat(
            tab.eval(
                "[...document.querySelectorAll('[data-number]')].every(b =>"
                    + " b.textContent.includes('default/broken'))"))
        .isEqualTo(true);
  }

  @Test
  void reconcile_clicked_showsWhatItReadAndWrote() throws Exception {
    filter("shop-1");
    tab.eval("document.querySelector('[data-number]').click()");
    tab.await("document.activeElement.id === 'object-close'");

    assertThat(tab.eval("document.getElementById('calls').innerText").toString())
        .contains("read find configmaps", "default/shop-1 @")
        .contains("write POST /api/v1/namespaces/default/configmaps → 201", "sent", "received");
    tab.eval("document.querySelectorAll('details').forEach(d => d.open = true)");
    tab.await("document.querySelectorAll('pre').length > 2");
    assertThat(tab.eval("document.getElementById('calls').textContent").toString())
        .contains("\"size\": \"small\"");

    tab.press("Escape", ESCAPE);
    tab.await("document.activeElement.dataset.number && document.getElementById('object').hidden");
  }

  @ParameterizedTest
  @CsvSource({"360, false", "360, true", "1600, false", "1600, true"})
  void page_narrowAndWide_darkAndLight_fitsAndHasContrast(int width, boolean dark)
      throws Exception {
    tab.size(width, 800);
    tab.dark(dark);
    for (String language : List.of("en", "zh")) {
      open(language);
      tab.eval("document.querySelector('[data-number]').click()");
      tab.await("!document.getElementById('object').hidden");
      tab.eval("document.querySelectorAll('details').forEach(d => d.open = true)");

      assertThat(tab.eval("document.documentElement.scrollWidth")).isEqualTo((long) width);
      assertThat(tab.eval(LiveViewBrowserTest.LOW_CONTRAST)).as(language).isEqualTo(List.of());
    }
    tab.dark(false);
  }

  @Test
  void file_chosen_thatIsCut_saysSo_andAWholeOneOpens() throws Exception {
    byte[] whole = Files.readAllBytes(folder.resolve("incident.bin"));

    choose(Arrays.copyOf(whole, whole.length - 12));
    tab.await(
        "document.getElementById('status').textContent.startsWith('The file cannot be read')");
    choose("something else".getBytes(UTF_8));
    tab.await("document.getElementById('status').textContent.endsWith('it is not an incident')");
    choose(whole);
    tab.await("document.querySelectorAll('[data-number]').length > 4");
  }

  private void choose(byte[] content) throws Exception {
    tab.eval(
        "(() => { const files = new DataTransfer(); files.items.add(new File([new Uint8Array("
            + Arrays.toString(content)
            + ")], 'incident.bin')); const input = document.getElementById('file');"
            + " input.files = files.files; input.dispatchEvent(new Event('change')); })()");
  }
}
