package dev.clientgo.examples.liveview;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/** A Chromium of the machine without a window, and its DevTools. */
final class Chromium implements AutoCloseable {

  private static final String LISTENING = "DevTools listening on ";

  private final OkHttpClient http =
      new OkHttpClient.Builder().readTimeout(Duration.ofSeconds(60)).build();
  private final Process process;
  private final Path profile;
  private final String address;

  private Chromium(Process process, Path profile, String address) {
    this.process = process;
    this.profile = profile;
    this.address = address;
  }

  /** Returns the path of the browser, if one is installed. */
  static Optional<Path> installed() {
    List<String> names = List.of("chromium", "chromium-browser", "google-chrome", "chrome");
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .flatMap(folder -> names.stream().map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Starts the browser and waits until it can be spoken to. */
  static Chromium start() throws Exception {
    Path profile = Files.createTempDirectory("chromium");
    Process process =
        new ProcessBuilder(
                installed().orElseThrow().toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--no-first-run",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    CompletableFuture<String> address = new CompletableFuture<>();
    Thread reader = new Thread(() -> read(process, address), "chromium-errors");
    reader.setDaemon(true);
    reader.start();
    try {
      String url = address.get(60, TimeUnit.SECONDS);
      return new Chromium(process, profile, url.replaceFirst("^ws://([^/]+)/.*$", "http://$1"));
    } catch (Exception e) {
      process.destroyForcibly();
      throw e;
    }
  }

  /** Reads the address that the browser prints, and then all else, so that it never blocks. */
  private static void read(Process process, CompletableFuture<String> address) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getErrorStream(), UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(LISTENING)) {
          address.complete(line.substring(LISTENING.length()));
        }
      }
    } catch (IOException e) {
      address.completeExceptionally(e);
    }
    address.completeExceptionally(new IOException("chromium has ended: " + process));
  }

  /** Opens a tab with an empty page. */
  Tab newTab() throws Exception {
    Request request =
        new Request.Builder()
            .url(address + "/json/new?about:blank")
            .put(RequestBody.create(new byte[0]))
            .build();
    try (Response response = http.newCall(request).execute()) {
      String target = Objects.requireNonNull(response.body()).string();
      return Tab.connect(http, (String) Tab.parse(target).get("webSocketDebuggerUrl"));
    }
  }

  /** Returns the processor time that all processes of the browser have used. */
  Duration processorTime() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .map(handle -> handle.info().totalCpuDuration().orElse(Duration.ZERO))
        .reduce(Duration.ZERO, Duration::plus);
  }

  @Override
  public void close() {
    List<ProcessHandle> all =
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    all.forEach(handle -> handle.onExit().orTimeout(30, TimeUnit.SECONDS).join());
    http.dispatcher().executorService().shutdown();
    http.connectionPool().evictAll();
    try (Stream<Path> files = Files.walk(profile)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
