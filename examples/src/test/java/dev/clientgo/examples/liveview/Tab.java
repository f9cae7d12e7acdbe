package dev.clientgo.examples.liveview;

import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.RawJson;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;
import org.jspecify.annotations.Nullable;

/** A tab of a browser, spoken to by the DevTools protocol. */
final class Tab extends WebSocketListener implements AutoCloseable {

  private static final long SECONDS = 60;

  private final AtomicInteger ids = new AtomicInteger();
  private final Map<Integer, CompletableFuture<Map<String, Object>>> calls =
      new ConcurrentHashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> errors = new CopyOnWriteArrayList<>();
  private @Nullable WebSocket socket;

  private Tab() {}

  static Tab connect(OkHttpClient http, String url) throws Exception {
    Tab tab = new Tab();
    tab.socket = http.newWebSocket(new Request.Builder().url(url).build(), tab);
    for (String domain : List.of("Page", "Runtime", "Network", "Log")) {
      tab.call(domain + ".enable", Map.of());
    }
    return tab;
  }

  @SuppressWarnings("unchecked") // An object of JSON.
  static Map<String, Object> parse(String json) {
    return (Map<String, Object>) JsonCodecs.TREE.read(RawJson.of(json).reader());
  }

  // ---- the protocol

  /** Calls a method and returns its result. */
  Map<String, Object> call(String method, Map<String, ?> params) throws Exception {
    int id = ids.incrementAndGet();
    CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
    calls.put(id, answer);
    Map<String, Object> call = new LinkedHashMap<>();
    call.put("id", id);
    call.put("method", method);
    call.put("params", params);
    socket.send(RawJson.of(JsonCodecs.TREE, call).toString());
    Map<String, Object> result = answer.get(SECONDS, TimeUnit.SECONDS);
    if (result.containsKey("error")) {
      throw new IllegalStateException(method + ": " + result.get("error"));
    }
    return map(result.get("result"));
  }

  @SuppressWarnings("unchecked") // An object of JSON.
  private static Map<String, Object> map(Object tree) {
    return (Map<String, Object>) tree;
  }

  @Override
  public void onMessage(WebSocket webSocket, String text) {
    Map<String, Object> message = parse(text);
    if (message.get("id") instanceof Number id) {
      CompletableFuture<Map<String, Object>> call = calls.remove(id.intValue());
      if (call != null) {
        call.complete(message);
      }
      return;
    }
    String method = String.valueOf(message.get("method"));
    switch (method) {
      case "Network.requestWillBeSent" ->
          requests.add(String.valueOf(map(map(message.get("params")).get("request")).get("url")));
      case "Runtime.exceptionThrown" -> errors.add(text);
      case "Runtime.consoleAPICalled", "Log.entryAdded" -> {
        if (text.contains("\"error\"") || text.contains("\"warning\"")) {
          errors.add(text);
        }
      }
      default -> {}
    }
  }

  @Override
  public void onFailure(WebSocket webSocket, Throwable t, @Nullable Response response) {
    calls.values().forEach(call -> call.completeExceptionally(t));
  }

  // ---- the page

  void open(String url) throws Exception {
    call("Page.navigate", Map.of("url", url));
    await("document.readyState === 'complete' && location.href.startsWith('" + url + "')");
  }

  /** Evaluates an expression, and waits if it is a promise. */
  @Nullable Object eval(String expression) throws Exception {
    Map<String, Object> result =
        call(
            "Runtime.evaluate",
            Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
    if (result.containsKey("exceptionDetails")) {
      throw new IllegalStateException(expression + ": " + result.get("exceptionDetails"));
    }
    return map(result.get("result")).get("value");
  }

  /** Waits until an expression is true; the page itself looks again and again. */
  void await(String condition) throws Exception {
    Object met = null;
    try {
      met =
          eval(
              "new Promise(done => { const end = Date.now() + 30000; const look = () => {"
                  + " let met = false; try { met = "
                  + condition
                  + "; } catch (e) { if (Date.now() > end) throw e; }"
                  + " if (met) done(true); else if (Date.now() > end) done(false);"
                  + " else setTimeout(look, 20); }; look(); })");
    } catch (IllegalStateException e) {
      if (!e.getMessage().contains("context was destroyed")
          && !e.getMessage().contains("navigated or closed")) {
        throw e;
      }
      await(condition); // The page was replaced meanwhile.
      return;
    }
    if (!Boolean.TRUE.equals(met)) {
      throw new IllegalStateException(
          "not within 30 s: " + condition + "; the page shows: " + eval("document.body.innerText"));
    }
  }

  void size(int width, int height) throws Exception {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  void dark(boolean dark) throws Exception {
    call(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(
                Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"),
                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
  }

  /** Lets things move, which the other media do not. */
  void motion() throws Exception {
    call(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(Map.of("name", "prefers-reduced-motion", "value", "no-preference"))));
  }

  /** Presses a key, such as Tab, Enter or Escape. */
  void press(String key, int code) throws Exception {
    Map<String, Object> event = new LinkedHashMap<>();
    event.put("type", key.equals("Enter") ? "keyDown" : "rawKeyDown");
    event.put("key", key);
    event.put("code", key);
    event.put("windowsVirtualKeyCode", code);
    if (key.equals("Enter")) {
      event.put("text", "\r");
    }
    call("Input.dispatchKeyEvent", event);
    call(
        "Input.dispatchKeyEvent",
        Map.of("type", "keyUp", "key", key, "code", key, "windowsVirtualKeyCode", code));
  }

  /** Returns a picture of what is in sight. */
  byte[] screenshot(int width, int height) throws Exception {
    Object y = eval("scrollY");
    Map<String, Object> clip = Map.of("x", 0, "y", y, "width", width, "height", height, "scale", 1);
    Map<String, Object> result =
        call("Page.captureScreenshot", Map.of("format", "png", "clip", clip));
    return Base64.getDecoder().decode((String) result.get("data"));
  }

  /** Returns the addresses of all requests so far. */
  List<String> requests() {
    return List.copyOf(requests);
  }

  /** Returns the errors and warnings of the console so far. */
  List<String> errors() {
    return List.copyOf(errors);
  }

  /** Closes the tab; a browser has six connections to a server, and an open page keeps one. */
  @Override
  public void close() {
    try {
      call("Page.close", Map.of());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      throw new AssertionError("the tab did not close", e);
    } finally {
      socket.close(1000, null);
    }
  }
}
