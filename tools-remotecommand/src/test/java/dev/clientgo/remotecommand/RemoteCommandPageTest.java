package dev.clientgo.remotecommand;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.remotecommand.copy.CopyResult;
import dev.clientgo.remotecommand.copy.PodCopy;
import dev.clientgo.remotecommand.logs.LogLine;
import dev.clientgo.remotecommand.logs.LogLines;
import dev.clientgo.remotecommand.logs.PodLogs;
import dev.clientgo.remotecommand.logs.SelectorLogLines;
import dev.clientgo.remotecommand.logs.SelectorLogs;
import dev.clientgo.remotecommand.portforward.PortForward;
import dev.clientgo.remotecommand.portforward.PortForwarder;
import dev.clientgo.rest.RESTClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import okhttp3.OkHttpClient;
import org.junit.jupiter.api.Test;

/** The examples of {@code docs/remotecommand.md}, which are compiled here. */
final class RemoteCommandPageTest {

  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  static void run(RESTClient client) throws InterruptedException {
    CommandResult result = RemoteCommand.exec(client, "shop", "web-0", "ls", "-l", "/").run();
    System.out.println(result.orThrow().text());
  }

  static String sort(RESTClient client, String text) throws InterruptedException {
    RemoteCommand sort =
        RemoteCommand.exec(client, "shop", "web-0", "sort")
            .inContainer("web")
            .withInputLength(text.getBytes(UTF_8).length)
            .withTimeout(Duration.ofSeconds(30));
    String sorted = sort.run(text.getBytes(UTF_8)).orThrow().text();
    return sorted;
  }

  static int dump(RESTClient client, OutputStream file) throws IOException, InterruptedException {
    int exitCode =
        RemoteCommand.exec(client, "shop", "db-0", "pg_dump").run(null, file, System.err);
    return exitCode;
  }

  static void talk(RESTClient client) throws IOException, InterruptedException {
    try (RemoteProcess shell =
        RemoteCommand.exec(client, "shop", "web-0", "sh").withInput().start()) {
      BufferedReader answers =
          new BufferedReader(new InputStreamReader(shell.inputStream(), UTF_8));
      shell.outputStream().write("hostname\n".getBytes(UTF_8));
      System.out.println(answers.readLine());
      shell.outputStream().close();
      System.out.println("the shell ended with " + shell.waitFor());
    }
  }

  static void follow(RESTClient client) throws InterruptedException {
    try (LogLines lines = PodLogs.of(client, "shop", "web-0").tail(10).follow().lines()) {
      lines.forEach(line -> System.out.println(line.text()));
    }
  }

  static void resume(RESTClient client) throws InterruptedException {
    PodLogs log = PodLogs.of(client, "shop", "web-0").inContainer("web").follow();
    try (LogLines lines = log.resumedLines(Duration.ofMinutes(5))) {
      for (Optional<LogLine> line = lines.next(); line.isPresent(); line = lines.next()) {
        System.out.println(line.get().time() + " " + line.get().text());
      }
    }
  }

  static void select(RESTClient client) throws InterruptedException {
    SelectorLogs logs =
        SelectorLogs.of(client, "shop", Selector.parse("app=web")).tail(10).follow();
    try (SelectorLogLines lines = logs.lines()) {
      lines.forEach(line -> System.out.println(line)); // web-0 main: GET /
    }
  }

  static void copy(RESTClient client) throws IOException, InterruptedException {
    PodCopy copy = PodCopy.of(client, "shop", "web-0").inContainer("web").withRetries(10);
    copy.upload(Path.of("site"), "/usr/share/nginx/html");
    CopyResult logs = copy.download("/var/log/nginx", Path.of("logs"));
    System.out.println(logs.files() + " files, skipped: " + logs.skipped());
  }

  static void forward(RESTClient client) throws IOException, InterruptedException {
    PortForward web = PortForward.toPod(client, "shop", "web-0");
    try (PortForwarder forwarder = web.listen("8080:80", ":9090")) {
      System.out.println("port 80 of the pod: http://localhost:8080");
      System.out.println("its metrics: http://localhost:" + forwarder.localPort(9090) + "/metrics");
      System.in.read(); // Open until Enter is pressed.
    }
  }

  static OkHttpClient http(PortForward web) {
    OkHttpClient http = new OkHttpClient.Builder().socketFactory(web.socketFactory()).build();
    return http;
  }

  @Test
  void examples_areTheCodeOfThisTest() throws Exception {
    String source =
        plain(
            Files.readString(
                Path.of("src/test/java/" + getClass().getName().replace('.', '/') + ".java")));
    Matcher example = EXAMPLE.matcher(Files.readString(Path.of("../docs/remotecommand.md")));
    int count = 0;
    while (example.find()) {
      String code = plain(example.group(1));
      // The closing braces of a block need not follow at once.
      assertThat(source).contains(code.replaceAll("(?:\\})+$", ""));
      count++;
    }

    assertThat(count).isGreaterThan(3);
  }

  private static String plain(String code) {
    return code.replaceAll("\\s+", "");
  }
}
