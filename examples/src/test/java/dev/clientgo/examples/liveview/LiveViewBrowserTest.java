package dev.clientgo.examples.liveview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.liveview.LiveView;
import dev.clientgo.liveview.Stage;
import dev.clientgo.rest.RESTClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The live view in a real browser, Chromium without a window. {@code -Dliveview.screenshots} also
 * writes the pictures of the guide.
 */
final class LiveViewBrowserTest {

  private static final Path IMAGES = Path.of("../docs/guide/images");
  private static final boolean SCREENSHOTS = Boolean.getBoolean("liveview.screenshots");
  private static final int WIDTH = 1200;
  private static final int TAB = 9;
  private static final int ENTER = 13;
  private static final int ESCAPE = 27;

  private static EmbeddedApiServer server;
  private static RESTClient client;
  private static PodPipeline pipeline;
  private static LiveView view;
  private static Chromium chromium;

  private Tab tab;

  @BeforeAll
  static void startProgramAndBrowser() throws Exception {
    assumeTrue(
        Chromium.installed().isPresent(),
        "no Chromium on the PATH, so the live view is not tested in a browser: apt-get install"
            + " chromium");
    server = EmbeddedApiServer.start();
    client = RESTClient.create(server.restConfig());
    pipeline = new PodPipeline(Cluster.of(server), client, null);
    LiveView.Builder builder = LiveView.builder().allowControl();
    pipeline.addTo(builder);
    new Scenes(pipeline).addTo(builder);
    view = builder.start();
    pipeline.show(view);
    chromium = Chromium.start();
  }

  @AfterAll
  static void stop() throws Exception {
    if (chromium != null) {
      chromium.close();
    }
    if (view != null) {
      view.close();
      pipeline.close();
      client.close();
      server.close();
    }
  }

  @BeforeEach
  void openPage() throws Exception {
    pipeline.begin(false);
    tab = chromium.newTab();
    tab.size(1600, 1000);
    tab.dark(false);
    open("en");
  }

  private void open(String language) throws Exception {
    tab.open(view.url() + "?lang=" + language);
    tab.await(
        "picture && picture.informers.length === 1 && connection === 'live'"
            + " && document.querySelector('[data-action=create]')"
            + " && document.querySelector('[data-scene=index]')");
  }

  @AfterEach
  void pageIsSound() throws Exception {
    if (tab != null) {
      tab.eval("send('stop').then(() => events.close())"); // Frees one of its six connections.
      assertThat(tab.errors()).isEmpty();
      assertThat(tab.requests())
          .isNotEmpty()
          .allMatch(
              url ->
                  url.startsWith(view.url().toString())
                      || url.startsWith("data:")
                      || url.equals("about:blank"));
      tab.close();
    }
  }

  // ---- scenes

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          unseen-delete  | 5 | 4 | picture.informers[0].queue.items[0].deltas[0].what === 'REPLACED_ALL' && picture.informers[0].store.size === 2
          ten-changes    | 4 | 3 | picture.queues[0].dirty.size === 1 && picture.queues[0].processing.size === 1 && picture.queues[0].merged === 8
          slow-handler   | 3 | 2 | picture.informers[0].listeners.some(l => l.name === 'audits' && l.size + (l.current.key ? 1 : 0) >= 4)
          resync-relist  | 3 | 2 | picture.log.steps.some(s => s.what === 'SYNC_ALL')
          two-queues     | 3 | 2 | picture.informers[0].queue.size === 5 && picture.informers[1].queue.size === 5 && document.querySelectorAll('.box.fifo .count')[0].textContent.endsWith('5 deltas in 5 entries') && document.querySelectorAll('.box.fifo .count')[1].textContent.endsWith('5 deltas in 2 entries, one for each object')
          backoff        | 4 | 2 | picture.queues[0].waiting.items.some(i => i.key === 'default/web-1' && i.times >= 3)
          own-write      | 4 | 3 | picture.log.steps.some(s => s.kind === 'written' && s.what === 'update → 409 Conflict') && document.querySelector('.box.workers .chip.error')
          bookmark       | 4 | 4 | picture.informers[0].state === 'WATCHING' && !picture.informers[0].frames.some(f => f.what === 'ERROR') && picture.informers[0].frames.at(-1).version === picture.server.version
          two-replicas   | 6 | 5 | picture.queues[0].queue.size === 0 && picture.queues[1].done === 2 && picture.log.steps.some(s => s.source === 'replica-b' && s.what === 'update Lease → 200')
          index          | 4 | 3 | picture.informers[0].store.indices.find(i => i.name === 'node').values.find(v => v.value === 'node-2').size === 3
          """)
  void scene_playedStepByStep_showsWhatItExplains(
      String scene, int steps, int shown, String condition) throws Exception {
    tab.eval(
        "(() => { const step = document.getElementById('scene-step'); window.labels = [];"
            + " new MutationObserver(() => labels.push(step.textContent))"
            + ".observe(step, { childList: true }); })()");
    tab.eval("send('play', { scene: '" + scene + "', auto: false })");
    for (int step = 1; step <= steps; step++) {
      tab.await(
          "picture.scene.id === '"
              + scene
              + "' && picture.scene.step === "
              + step
              + " && document.getElementById('scene-text').textContent === picture.scene.text.en");
      if (step == shown) {
        tab.await(condition);
        screenshots(scene);
        looksRight(scene);
      }
      isInSight(scene + " " + step);
      if (scene.equals("two-replicas")) {
        tab.await(LEASE_SAYS.get(step - 1));
      }
      if (step < steps) {
        tab.eval("send('next')");
      }
    }
    tab.await(
        "document.getElementById('scene-step').textContent === 'step "
            + steps
            + " of "
            + steps
            + ", the scene is over'");

    assertThat(tab.eval("picture.scene.error")).isEqualTo("");
    assertThat((List<?>) tab.eval("labels"))
        .first()
        .asString()
        .matches("step 1 of " + steps + ", (the next step is under way …|press “Next”.*)");
  }

  /** Text of the Lease's box and of the replicas' titles, step by step. */
  private static final List<String> LEASE_SAYS =
      Stream.of(
              "replica-a leads, replica-a, 0 s",
              "replica-a leads, replica-a, 0 s",
              "replica-a leads, replica-a, 4 s",
              "nobody leads, replica-a, 12 s",
              "replica-b leads, replica-b, 0 s",
              "replica-b leads, replica-b, 0 s")
          .map(says -> says.split(", ", -1))
          .map(
              says ->
                  ("(t => t.includes('%s') && t.includes('holder: %s') && t.includes('renewed %s"
                              + " ago'))(document.querySelector('.box.lease').innerText)")
                          .formatted((Object[]) says)
                      + (" && [...document.querySelectorAll('.lane > .name')].filter(name =>"
                          + " name.textContent.endsWith(': leads')).map(name =>"
                          + " name.textContent.split(':')[0] + ' leads').join() ===")
                      + " '"
                      + says[0].replace("nobody leads", "")
                      + "'")
          .toList();

  /** The boxes that a step is about are in sight, and its text takes little of a telephone. */
  private void isInSight(String step) throws Exception {
    tab.size(1440, 900);
    tab.await(SPOKEN_BOXES.replace("WHICH", "boxes"));
    tab.size(390, 844);
    tab.await(SPOKEN_BOXES.replace("WHICH", "boxes.slice(0, 1)"));
    assertThat(
            (Number)
                tab.eval(
                    "['caption', 'time'].reduce((sum, id) => sum +"
                        + " document.getElementById(id).offsetHeight, 0)"))
        .as(step)
        .matches(height -> height.intValue() < 844 * 0.4);
    tab.size(1600, 1000);
  }

  /** Is true if the boxes, and the last index of a store, are between the text and the slider. */
  private static final String SPOKEN_BOXES =
      """
      (() => {
        const top = document.getElementById('caption').getBoundingClientRect().bottom;
        const bottom = document.getElementById('time').getBoundingClientRect().top;
        const boxes = [...document.querySelectorAll('.box.spoken')]
          .map(box => ({ box, place: box.getBoundingClientRect() }))
          .sort((a, b) => a.place.top - b.place.top);
        return WHICH.every(({ box, place }) => place.top >= top && place.bottom <= bottom &&
          (picture.scene.id !== 'index' ||
            box.querySelector('.index:last-child').getBoundingClientRect().bottom <= place.bottom));
      })()
      """
          .strip();

  /** Looks at the page as it is on a desk and on a telephone, light and dark. */
  private void looksRight(String scene) throws Exception {
    for (int width : List.of(1440, 390)) {
      for (boolean dark : List.of(false, true)) {
        tab.size(width, width == 390 ? 844 : 900);
        tab.dark(dark);
        tab.await(SPOKEN_BOX_IS_IN_SIGHT);
        String name = scene + "-" + width + (dark ? "-dark" : "");
        assertThat(tab.eval(MISPLACED)).as(name).isEqualTo(List.of());
        assertThat(tab.eval(LOW_CONTRAST)).as(name).isEqualTo(List.of());
        Path looks = Files.createDirectories(Path.of("target/live-view"));
        Files.write(looks.resolve(name + ".png"), tab.screenshot(width, width == 390 ? 844 : 900));
      }
    }
    tab.dark(false);
    tab.size(1600, 1000);
  }

  /**
   * Is true if the box that the scene is about is below its text, and at least its head is seen.
   */
  private static final String SPOKEN_BOX_IS_IN_SIGHT =
      """
      [...document.querySelectorAll('.box.spoken')].some(box => {
        const { top } = box.getBoundingClientRect();
        const caption = document.getElementById('caption').getBoundingClientRect();
        return top >= caption.bottom && top + 60 < document.getElementById('time').getBoundingClientRect().top;
      })
      """;

  /** Lists the boxes that are outside of the page, cover another, or cut a text off. */
  private static final String MISPLACED =
      """
      (() => {
        const wrong = [];
        const width = innerWidth;
        if (document.documentElement.scrollWidth > width) wrong.push('the page scrolls sideways');
        const boxes = [...document.querySelectorAll('.box, #actions, #controls, #intro, #scenes')]
          .filter(box => box.checkVisibility());
        const places = boxes.map(box => box.getBoundingClientRect());
        const name = i => boxes[i].innerText.split('\\n')[0] + ' ' + JSON.stringify(places[i]);
        document.querySelectorAll('.box h3').forEach(title => {
          const text = title.firstChild;
          for (const { 0: word, index } of text ? text.data.matchAll(/\\S+/g) : []) {
            const range = document.createRange();
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            if (range.getClientRects().length > 1) wrong.push('broken: ' + word);
            if (range.getBoundingClientRect().right > title.getBoundingClientRect().right + 1) wrong.push('too wide: ' + word);
          }
        });
        boxes.forEach((box, i) => {
          const a = places[i];
          if (a.left < 0 || a.right > width) wrong.push('outside: ' + name(i));
          if (box.scrollHeight > box.clientHeight + 1) wrong.push('cut off: ' + name(i));
          places.forEach((b, j) => {
            if (j > i && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) {
              wrong.push(name(i) + ' covers ' + name(j));
            }
          });
        });
        return wrong;
      })()
      """;

  private void screenshots(String scene) throws Exception {
    if (!SCREENSHOTS) {
      return;
    }
    Files.createDirectories(IMAGES);
    tab.size(WIDTH, 1000);
    tab.eval(
        "(() => { const style = new CSSStyleSheet();"
            + " style.replaceSync('#controls, #time, body > p.row { display: none }');"
            + " document.adoptedStyleSheets = [style]; })()");
    tab.eval("scrollTo(0, 0)");
    screenshot("live-view-" + scene + ".png");
    tab.eval("document.getElementById('language').click()");
    screenshot("live-view-" + scene + ".zh.png");
    tab.eval("document.getElementById('language').click(); document.adoptedStyleSheets = []");
    tab.size(1600, 1000);
  }

  private void screenshot(String name) throws Exception {
    Object end =
        tab.eval(
            "Math.ceil(document.getElementById('pipeline').getBoundingClientRect().bottom +"
                + " scrollY)");
    int height = ((Number) end).intValue() + 8;
    tab.size(WIDTH, height);
    tab.eval("new Promise(done => setTimeout(done, 700)).then(() => scrollTo(0, 0))");
    byte[] png = SmallPng.of(tab.screenshot(WIDTH, height));
    assertThat(png.length).as(name).isLessThan(120_000);
    Files.write(IMAGES.resolve(name), png);
  }

  @Test
  void scene_clicked_waitsForItsReader() throws Exception {
    tab.eval("document.querySelector('[data-scene=two-queues]').click()");

    tab.await("picture.scene.step === 1 && !picture.scene.auto && picture.informers.length === 2");
    tab.await("document.getElementById('scene-auto').getAttribute('aria-pressed') === 'false'");

    assertThat(tab.eval("document.getElementById('scene-title').textContent"))
        .isEqualTo("RealFIFO beside DeltaFIFO");
  }

  // ---- looks

  @ParameterizedTest
  @CsvSource({"360, false", "360, true", "1600, false", "1600, true"})
  void page_narrowAndWide_darkAndLight_fitsAndHasContrast(int width, boolean dark)
      throws Exception {
    tab.size(width, 800);
    tab.dark(dark);
    pipeline.auditSlowly(PodPipeline.SLOW_CALL);
    pipeline.fail("default/web-with-a-rather-long-name-that-has-no-space-in-it-1");
    pipeline.create("default", "web-with-a-rather-long-name-that-has-no-space-in-it-1", "node-1");
    pipeline.create("default", "web-2", "node-1");
    pipeline.writer().change("default/web-2");
    pipeline.create("default", "web-3", null);
    pipeline.writer().delete("default/web-3");
    for (String language : List.of("en", "zh")) {
      open(language);
      tab.await("picture.informers[0].store.size === 2 && picture.queues[0].done > 2");
      tab.eval("document.querySelector('.chip.plain').click()");
      tab.await("!document.getElementById('object').hidden");

      assertThat(tab.eval("document.documentElement.scrollWidth")).isEqualTo((long) width);
      assertThat(tab.eval(LOW_CONTRAST)).as(language).isEqualTo(List.of());
      assertThat(tab.eval("getComputedStyle(document.documentElement).backgroundColor"))
          .isEqualTo(dark ? "rgb(13, 17, 23)" : "rgb(246, 247, 249)");
    }
  }

  /** Lists the texts whose contrast is below AA: 4.5, and 3 for large ones. */
  static final String LOW_CONTRAST =
      """
      (() => {
        const parse = c => (c.match(/[\\d.]+/g) || []).map(Number);
        const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
          .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
          .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
        const ground = e => {
          for (; e; e = e.parentElement) {
            const c = parse(getComputedStyle(e).backgroundColor);
            if (c.length < 4 || c[3] > 0) return c;
          }
          return [255, 255, 255];
        };
        return [...document.querySelectorAll('body *')].filter(e =>
          [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) &&
          e.checkVisibility() && !e.disabled && !e.matches('.skip, noscript')).map(e => {
            const style = getComputedStyle(e);
            const pair = [light(parse(style.color)), light(ground(e))].sort((a, b) => b - a);
            const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
            return ratio < (parseFloat(style.fontSize) >= 24 ? 3 : 4.5)
              ? e.textContent + ' ' + ratio : '';
          }).filter(text => text);
      })()
      """;

  @Test
  void language_switched_changesEveryWordAndIsKept() throws Exception {
    assertThat(tab.eval("document.querySelector('h1').textContent"))
        .isEqualTo("An informer at work");

    tab.eval("document.getElementById('language').click()");

    assertThat(tab.eval("document.querySelector('h1').textContent")).isEqualTo("运行中的 informer");
    assertThat(tab.eval("document.documentElement.lang")).isEqualTo("zh-CN");
    assertThat(tab.eval("document.querySelector('[data-scene=ten-changes]').textContent"))
        .isEqualTo("十次修改，一个 key");
    tab.open(view.url().toString());
    tab.await("document.documentElement.lang === 'zh-CN'");
    assertThat(tab.eval(DIFFERENT_WORDS)).isEqualTo(List.of());
    tab.eval("localStorage.clear()");
  }

  /** Lists the words that one language has and the other has not. */
  private static final String DIFFERENT_WORDS =
      """
      (() => {
        const names = (o, p) => Object.entries(o).flatMap(([k, v]) =>
          typeof v === 'object' ? names(v, p + k + '.') : [p + k]);
        const en = names(WORDS.en, ''), zh = names(WORDS.zh, '');
        return en.filter(n => !zh.includes(n)).concat(zh.filter(n => !en.includes(n)));
      })()
      """;

  @Test
  void keyboard_reachesEverythingAndWorks() throws Exception {
    pipeline.create("default", "web-1", "node-1");
    tab.await("document.querySelector('.chip.plain')");
    tab.eval("document.body.focus()");
    int buttons =
        ((Number)
                tab.eval(
                    "[...document.querySelectorAll('button, input')].filter(b =>"
                        + " b.checkVisibility() && !b.disabled).length"))
            .intValue();
    tab.eval("window.reached = new Set()");
    boolean outlined = true;
    for (int i = 0; i < buttons + 10; i++) {
      tab.press("Tab", TAB);
      outlined &=
          Boolean.TRUE.equals(
              tab.eval(
                  "reached.add(document.activeElement),"
                      + " document.activeElement === document.body ||"
                      + " getComputedStyle(document.activeElement).outlineStyle !== 'none'"));
    }

    assertThat(outlined).isTrue();
    assertThat(
            tab.eval(
                "[...document.querySelectorAll('button, input')].filter(b => b.checkVisibility() &&"
                    + " !b.disabled && !reached.has(b)).map(b => b.textContent || b.id)"))
        .isEqualTo(List.of());

    tab.eval("document.querySelector('.chip.plain').focus()");
    tab.press("Enter", ENTER);
    tab.await("document.activeElement.id === 'object-close'");
    tab.press("Escape", ESCAPE);
    tab.await("document.activeElement.className.includes('chip plain')");
    assertThat(tab.eval("document.getElementById('object').hidden")).isEqualTo(true);
  }

  // ---- the picture

  /** A scene that ends while its server is stopped leaves nothing behind for the next. */
  @Test
  void scene_endedEarly_doesNotSpoilTheNext() throws Exception {
    tab.eval("send('play', { scene: 'unseen-delete', auto: false })");
    tab.await("picture.scene.step === 1");
    tab.eval("send('next')");
    tab.await("picture.scene.step === 2 && picture.server.watches === 0");

    tab.eval("send('play', { scene: 'ten-changes', auto: false })");

    tab.await("picture.scene.id === 'ten-changes' && picture.scene.step === 1");
  }

  /** Nothing of the scene stays, and its reader sees the other scenes. */
  @Test
  void scene_ended_leavesTheProgramAsAtTheStart_andListsTheScenes() throws Exception {
    tab.size(1440, 900);
    tab.eval("document.querySelector('[data-scene=two-replicas]').click()");
    tab.await("picture.scene.step === 1 && document.querySelectorAll('.lane').length === 2");
    tab.await("!document.getElementById('scenes').open");
    tab.eval("void scrollTo(0, 200)");
    assertThat(tab.eval("document.querySelector('#scenes summary').checkVisibility()"))
        .isEqualTo(true);

    tab.eval("document.getElementById('scene-stop').click()");

    tab.await("picture.informers.length === 1 && picture.informers[0].name === 'pods'");
    tab.await("document.querySelectorAll('.lane').length === 1 && scrollY === 0");
    assertThat(tab.eval("document.getElementById('scenes').open")).isEqualTo(true);
    assertThat(tab.eval("document.querySelector('.box.lease').checkVisibility()")).isEqualTo(false);
  }

  @Test
  void toggle_clicked_showsThatItIsOn() throws Exception {
    String slow = "document.querySelector('[data-action=slow]')";
    assertThat(tab.eval(slow + ".getAttribute('aria-pressed')")).isEqualTo("false");
    assertThat(tab.eval("getComputedStyle(" + slow + ", '::before').content"))
        .asString()
        .contains("○");

    tab.eval(slow + ".click()");

    tab.await(slow + ".getAttribute('aria-pressed') === 'true'");
    assertThat(tab.eval("getComputedStyle(" + slow + ", '::before').content"))
        .asString()
        .contains("●");
    assertThat(tab.eval("document.querySelectorAll('[data-action][aria-pressed]').length"))
        .isEqualTo(2L);
  }

  @Test
  void button_isExplained_inBothLanguages() throws Exception {
    for (String language : List.of("en", "zh")) {
      open(language);
      assertThat(
              (List<?>)
                  tab.eval(
                      "[...document.querySelectorAll('[data-action]')].map(button =>"
                          + " button.title)"))
          .hasSize(11)
          .doesNotHaveDuplicates()
          .allSatisfy(title -> assertThat((String) title).isNotEmpty());
    }
    tab.eval("document.getElementById('actions-what').click()");
    assertThat((String) tab.eval("document.getElementById('about').innerText"))
        .contains("修改", "重启程序");
  }

  @Test
  void intro_isShownFirst_andItsButtonPlays() throws Exception {
    assertThat(tab.eval("document.getElementById('caption').hidden")).isEqualTo(true);
    assertThat((String) tab.eval("document.getElementById('intro').innerText"))
        .contains("An informer keeps a copy", "Play a scene", "All open windows show this one run");

    tab.eval("document.getElementById('play').click()");

    tab.await("picture.scene.step === 1 && document.querySelector('.box.store.spoken')");
    assertThat(tab.eval("document.getElementById('intro').hidden")).isEqualTo(true);
  }

  @Test
  void box_asked_explainsItselfAndLinksToALessonThatExists() throws Exception {
    for (String language : List.of("en", "zh")) {
      open(language);
      Object lessons =
          tab.eval(
              "Object.keys(words.parts).map(part => { explain(part);"
                  + " return document.getElementById('about-lesson').href.slice(LESSONS.length); })");
      assertThat((List<?>) lessons)
          .hasSize(15)
          .allSatisfy(lesson -> assertThat(Path.of("../docs/guide/" + lesson)).exists());
    }
    Object sets =
        tab.eval(
            "[...document.querySelectorAll('.box.queue .what')].map(button => { button.click();"
                + " return document.getElementById('about-text').textContent; })");
    assertThat((List<?>) sets).hasSize(4).doesNotHaveDuplicates();
    tab.press("Escape", ESCAPE);
    tab.eval("document.querySelector('.box.controller .what').click()");
    assertThat((String) tab.eval("document.getElementById('about').innerText"))
        .contains("processLoop");
    assertThat((String) tab.eval("JSON.stringify(WORDS)"))
        .contains("addAfter", "rate limiter", "ProcessorListener", "warm cache");
    tab.press("Escape", ESCAPE);
    tab.eval("document.querySelector('.box.fifo .what').click()");
    tab.await("document.getElementById('about').matches(':popover-open')");
    assertThat((String) tab.eval("document.getElementById('about').innerText")).contains("delta");
  }

  @Test
  void slider_movedBack_showsTheEarlierState_andTheProgramRunsOn() throws Exception {
    tab.await("shown === -1");
    pipeline.create("default", "web-1", "node-1");
    tab.await("picture.informers[0].store.size === 1");
    pipeline.create("default", "web-2", "node-2");
    tab.await("document.querySelectorAll('.box.store .chip').length === 2");

    tab.eval(
        "(() => { const s = document.getElementById('time-slider'); s.value ="
            + " pictures.findLast(p => JSON.parse(p.text).informers[0].store.size === 1).total;"
            + " s.dispatchEvent(new Event('input')); })()");

    assertThat(tab.eval("document.querySelectorAll('.box.store .chip').length")).isEqualTo(1L);
    pipeline.create("default", "web-3", "node-2");
    tab.await("JSON.parse(pictures.at(-1).text).informers[0].store.size === 3");
    assertThat(tab.eval("document.querySelectorAll('.box.store .chip').length")).isEqualTo(1L);

    tab.eval("document.getElementById('time-pause').click()");
    tab.await("document.querySelectorAll('.box.store .chip').length === 3");
  }

  @Test
  void token_ofAChange_travelsAlongTheArrows_ifMotionIsNotReduced() throws Exception {
    watchTokens();

    pipeline.create("default", "web-1", "node-1");

    tab.await(
        "['frame added + web-1', 'queued added + web-1', 'popped added + web-1', 'notified added + web-1',"
            + " 'work add web-1', 'work get web-1'].every(t => seen.includes('token ' + t))");
    tab.await("document.getElementById('tokens').childElementCount === 0");
  }

  /** Lets things move, and keeps the tokens and what they bring into the store, in order. */
  private void watchTokens() throws Exception {
    tab.motion();
    tab.eval(
        """
        (() => {
          window.seen = [];
          const watch = (target, text) => new MutationObserver(all => all.forEach(m =>
            m.addedNodes.forEach(n => seen.push(text(n))))).observe(target, { childList: true });
          watch(document.getElementById('tokens'), n => n.className + ' ' + n.textContent);
          watch(document.querySelector('.box.store .chips'), n => 'store ' + n.key);
          watch(document.querySelectorAll('.box.queue .chips')[3],
            n => 'processing ' + n.key);
        })()
        """);
  }

  @Test
  void box_changesWhenTheTokenArrives() throws Exception {
    watchTokens();

    pipeline.create("default", "web-1", "node-1");

    tab.await("seen.includes('processing default/web-1')");
    assertThat((List<?>) tab.eval("seen.filter(s => !s.includes('notified'))"))
        .map(String::valueOf)
        .containsExactly(
            "token frame added + web-1",
            "token queued added + web-1",
            "token popped added + web-1",
            "store default/web-1",
            "token work add web-1",
            "token work enters web-1",
            "token work get web-1",
            "processing default/web-1");
    tab.await(
        "document.querySelector('.box.workers .count').textContent.includes('called 1 time,')");
    tab.await("picture.queues[0].processing.size === 0");
  }

  /** The store finds out by a list that an object is gone; no event reports it. */
  @Test
  void token_ofADeleteThatNobodySaw_travels() throws Exception {
    pipeline.create("default", "web-1", "node-1");
    pipeline.create("default", "web-2", "node-1");
    tab.await("picture.informers[0].store.size === 2");
    server.stop();
    pipeline.await(() -> server.watches().isEmpty());
    pipeline.writer().delete("default/web-1");
    server.faults().expireResourceVersions();
    watchTokens();

    server.restart();

    tab.await(
        "['token stored deleted − web-1: not in the list', 'token notified deleted − web-1',"
            + " 'token work add web-1'].every(t => seen.includes(t))");
  }

  @Test
  void token_ofAKeyThatComesBack_travels() throws Exception {
    pipeline.fail("default/web-1");
    watchTokens();
    pipeline.create("default", "web-1", "node-1");
    tab.await(
        "['token work addafter web-1', 'token work due web-1', 'token work add web-1']"
            + ".every(t => seen.includes(t))");
    pipeline.repair();

    pipeline.view().pause(Stage.WORK);
    pipeline.create("default", "web-2", "node-1");
    tab.await("picture.queues[0].processing.items.some(i => i.key === 'default/web-2')");
    pipeline.writer().change("default/web-2");
    tab.await("picture.queues[0].dirty.items.some(i => i.key === 'default/web-2')");
    pipeline.view().resume(Stage.WORK);

    tab.await("seen.filter(t => t === 'token work enters web-2').length === 2");
  }

  @Test
  void failures_areShownBesideDone_andARetryThatIsNoLongerNeeded() throws Exception {
    pipeline.fail("default/web-1");
    pipeline.create("default", "web-1", "node-1");
    tab.await(
        "picture.queues[0].failed >= 3 && /done\\(\\) called (\\d+) times, \\1 failed/"
            + ".test(document.querySelector('.box.workers .count').textContent)");

    pipeline.repair();
    pipeline.writer().change("default/web-1");

    tab.await(
        "document.querySelector('.chip.waiting').textContent.endsWith(' s, although it has"
            + " succeeded since')");
  }

  @Test
  void numbers_ofAPausedStage_sayWhatTheyCount() throws Exception {
    pipeline.view().pause(Stage.POP);
    pipeline.create("default", "web-1", "node-1");
    pipeline.writer().change("default/web-1");

    tab.await("document.querySelector('.box.fifo .count').textContent === '2 deltas in 2 entries'");
    tab.await(
        "document.getElementById('stage-pop').parentElement.innerText.includes('Controllers that"
            + " wait here: 1')");
  }

  /** What has no room in a box is listed with its explanation. */
  @Test
  void box_asked_listsAllThatItHas() throws Exception {
    pipeline.begin(true);
    pipeline.view().pause(Stage.POP);
    pipeline.create("default", "web-1", "node-1");
    for (int i = 0; i < 4; i++) {
      pipeline.writer().change("default/web-1");
    }
    tab.await("picture.informers.length === 2 && picture.informers.every(i => i.queue.size === 5)");
    tab.await("document.querySelectorAll('.box.fifo')[1].querySelector('.chip')");

    assertThat(tab.eval(ITEMS_OF_A_FIFO.formatted(0))).isEqualTo(5L);
    assertThat(tab.eval(ITEMS_OF_A_FIFO.formatted(1))).isEqualTo(1L);
    assertThat((String) tab.eval("document.getElementById('about-items').textContent"))
        .startsWith("default/web-1: ADDED @")
        .matches(text -> text.split("UPDATED").length == 5);
  }

  private static final String ITEMS_OF_A_FIFO =
      "(document.querySelectorAll('.box.fifo .what')[%d].click(),"
          + " document.getElementById('about-items').children.length)";

  @Test
  void words_ofDeltasWithoutAKey_andOfStepsWithoutAToken() throws Exception {
    assertThat(tab.eval("['(*)', '(2 @115)', '(@115)', 'default/web-1'].map(inWords)"))
        .isEqualTo(
            List.of(
                "all cached objects",
                "list of 2 objects @115",
                "everything seen up to @115",
                "default/web-1"));
    assertThat((String) tab.eval("document.getElementById('legend').textContent"))
        .contains("+ added", "~ changed", "− deleted");

    tab.eval("leaveOut(3), drawTime()");
    assertThat(tab.eval("document.getElementById('left-out').textContent"))
        .isEqualTo(
            "3 steps had no token just now, too many at once; the boxes changed all the same");
    tab.eval("leftOutAt -= 10_000, forgetLeftOut()");
    assertThat(tab.eval("document.getElementById('left-out').textContent")).isEqualTo("");
  }

  /** Is paused by the first token, when the program is done with the change. */
  @Test
  void time_paused_staysAtWhatIsSeen_andGoesOnStepByStep() throws Exception {
    tab.motion();
    tab.eval(
        """
        new MutationObserver((all, self) => { self.disconnect(); document.getElementById('time-pause').click(); })
          .observe(document.getElementById('tokens'), { childList: true })
        """);

    pipeline.create("default", "web-1", "node-1");

    tab.await("shown >= 0 && document.body.classList.contains('past')");
    tab.await("newest.informers[0].store.size === 1 && newest.queues[0].done === 1");
    assertThat(tab.eval("picture.informers[0].store.size")).isEqualTo(0L);
    assertThat(tab.eval("document.getElementById('time-pause').getAttribute('aria-pressed')"))
        .isEqualTo("true");
    tab.eval("while (!/ popped /.test($('time-text').textContent)) stepOn()");
    assertThat(tab.eval("picture.queues[0].done")).isEqualTo(0L);
    tab.eval("document.getElementById('time-pause').click()");
    tab.await("shown < 0 && picture.queues[0].done === 1");
  }

  /** Its first picture may come when the program has already read and processed the pod. */
  @Test
  void program_thatBeginsAfresh_beginsWithEmptyBoxes() throws Exception {
    pipeline.create("default", "web-1", "node-1");
    tab.await("picture.queues[0].done === 1");
    watchTokens();
    tab.eval(
        """
        (() => {
          window.early = 0;
          window.earlier = picture.log.began;
          const look = () => {
            const [informer] = picture.informers;
            if (picture.log.began > earlier && informer && !seen.includes('token popped added + web-2')) {
              early = Math.max(early, informer.store ? informer.store.size : 0, picture.queues[0].done);
            }
            requestAnimationFrame(look);
          };
          look();
        })()
        """);

    pipeline.begin(false);
    pipeline.create("default", "web-2", "node-1");

    tab.await("picture.log.began > earlier && picture.queues[0].done === 1");
    assertThat((List<?>) tab.eval("seen.filter(s => / (frame|queued|popped) added /.test(s))"))
        .map(String::valueOf)
        .containsExactly(
            "token frame added + web-2",
            "token queued added + web-2",
            "token popped added + web-2");
    assertThat(tab.eval("early")).isEqualTo(0L);
  }

  /** A change runs through the program between two pictures, and yet each of its steps is shown. */
  @Test
  void time_back_goesBackOneStep() throws Exception {
    pipeline.create("default", "web-1", "node-1");
    tab.await(
        "picture.queues[0].done === 1 && picture.informers[0].listeners.every(l => l.calls === 1)");
    long total = ((Number) tab.eval("picture.log.total")).longValue();

    for (int back = 1; back <= 9; back++) {
      tab.eval("document.getElementById('time-back').click()");
      assertThat(tab.eval("picture.log.total")).isEqualTo(total - back);
    }
    tab.eval("while (!/ queued /.test($('time-text').textContent)) stepBack()");
    assertThat(tab.eval("document.querySelector('.box.fifo .count').textContent"))
        .isEqualTo("1 delta in 1 entry");
    assertThat(tab.eval("document.querySelector('.box.store .count').textContent"))
        .asString()
        .startsWith("0 objects");
    assertThat(tab.eval("document.getElementById('tokens').textContent")).isEqualTo("+ web-1");
    tab.eval("while (shown >= 0) stepOn()");
    assertThat(tab.eval("picture.queues[0].done")).isEqualTo(1L);
  }

  @Test
  void store_behindTheServer_isShown() throws Exception {
    pipeline.create("default", "web-1", "node-1");
    tab.await("picture.informers[0].store.size === 1");
    pipeline.view().pause(Stage.POP);

    pipeline.writer().change("default/web-1");

    tab.await(
        "document.querySelector('.lag').textContent === '1 object differs from the server, 1"
            + " version behind' && document.querySelector('.box.store .chip.stale')");
  }

  // ---- objects and controls

  @Test
  void object_clicked_showsItsHistoryWithTheFieldsThatChanged() throws Exception {
    pipeline.create("default", "web-1", "node-1");
    pipeline.writer().change("default/web-1");
    String chip =
        "[...document.querySelectorAll('.chip.plain')].find(c => c.textContent.startsWith('default/web-1'))";
    tab.await("!!" + chip);

    tab.eval(chip + ".click()");

    tab.await(
        "document.getElementById('object-steps').innerText.includes('metadata.annotations.changes')");
    assertThat((String) tab.eval("document.getElementById('object-steps').innerText"))
        .contains("stored updated", "\"0\"", "\"1\"", "event MODIFIED", "delivered updated");
  }

  @Test
  void filter_typed_showsOnlyMatchingKeys() throws Exception {
    pipeline.create("default", "web-1", "node-1");
    pipeline.create("shop", "web-2", "node-1");
    tab.await("document.querySelectorAll('.chip.plain').length === 2");

    tab.eval(
        "(() => { const f = document.getElementById('filter'); f.value = 'shop/';"
            + " f.dispatchEvent(new Event('input')); })()");

    assertThat(
            tab.eval(
                "[...document.querySelectorAll('.chip.plain')].map(c => c.textContent.split('"
                    + " ')[0])"))
        .isEqualTo(List.of("shop/web-2"));
    assertThat(tab.eval("document.getElementById('only').innerText"))
        .isEqualTo("Only keys with “shop/” ✕");

    tab.eval("document.getElementById('only').click()");

    tab.await("document.querySelectorAll('.chip.plain').length === 2");
    assertThat(tab.eval("document.getElementById('only').checkVisibility()")).isEqualTo(false);
  }

  @Test
  void stages_pausedSteppedAndResumed_moveOneByOne() throws Exception {
    clickStage("pop", "pause");
    tab.await("picture.stages.pop.paused");
    tab.eval("send('action', { id: 'create', key: '' })");
    tab.await("picture.informers[0].queue.size === 1"); // Otherwise there may be nothing to change.
    tab.eval("send('action', { id: 'change', key: '' })");
    tab.await("picture.informers[0].queue.size === 2 && picture.stages.pop.waiting === 1");
    assertThat(tab.eval("picture.informers[0].store.size")).isEqualTo(0L);

    clickStage("pop", "one");
    tab.await("picture.informers[0].queue.size === 1 && picture.informers[0].store.size === 1");

    clickStage("pop", "pause");
    tab.await("picture.informers[0].queue.size === 0 && !picture.stages.pop.paused");
  }

  private void clickStage(String stage, String button) throws Exception {
    tab.eval("document.getElementById('stage-" + stage + "').parentElement." + button + ".click()");
  }

  /** Each button does what it says; the informer survives all of them. */
  @ParameterizedTest
  @ValueSource(strings = {"cut", "expire", "relist", "resync", "slow", "fail", "restart", "delete"})
  void action_clicked_isDoneAndSurvived(String action) throws Exception {
    Map<String, String> shown =
        Map.of(
            "cut", "picture.log.steps.some(s => s.what === 'WATCH')",
            "expire",
                "[...document.querySelectorAll('.box.reflector .chip')].slice(0, 2).some(chip => chip.textContent.startsWith('ERROR 410 Expired'))",
            "relist", "picture.log.steps.some(s => s.what === 'REPLACED_ALL')",
            "resync", "picture.log.steps.some(s => s.what === 'SYNC_ALL')",
            "slow", "picture.informers[0].listeners.length === 2",
            "fail", "picture.queues[0].waiting.size === 1",
            "restart", "picture.informers[0].state === 'WATCHING'",
            "delete", "picture.informers[0].store.size === 0");
    tab.eval("document.querySelector('[data-action=create]').click()");
    tab.await("picture.informers[0].store.size === 1");

    tab.eval("document.querySelector('[data-action=" + action + "]').click()");

    tab.await(shown.get(action));
    tab.eval("document.querySelector('[data-action=create]').click()");
    tab.await("picture.informers[0].store.size === " + (action.equals("delete") ? 1 : 2));
    assertThat(tab.eval("document.getElementById('message').textContent")).isEqualTo("");
  }
}
