package dev.clientgo.envtest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands of {@code docs/curl.md} print what the page says. */
@Timeout(300)
final class KubeApiServerCurlPageTest {

  private static final String PORT = "8001";

  /** A command of the page and what it prints. */
  private static final Pattern STEP =
      Pattern.compile(
          "(?s)<!-- tested by: KubeApiServerCurlPageTest -->\n```sh\n(.*?)```\n```text\n(.*?)```\n");

  /** Between the outputs of two commands. */
  private static final String NEXT = "---- next ----\n";

  @TempDir private Path folder;

  @Test
  void commands_printWhatThePageSays() throws Exception {
    assumeTrue(Kubectl.isAvailable(), "no kubectl in KUBEBUILDER_ASSETS");
    try (KubeApiServer server = KubeApiServer.start()) {
      check(Kubectl.of(server, folder));
    }
  }

  private void check(Kubectl kubectl) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "no curl");
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash");
    List<String> commands = new ArrayList<>();
    List<String> outputs = new ArrayList<>();
    for (Matcher step = STEP.matcher(Files.readString(page())); step.find(); ) {
      commands.add(step.group(1));
      outputs.add(step.group(2));
    }
    assertThat(commands).hasSizeGreaterThan(5);

    Process proxy = kubectl.start("proxy", "--port=0");
    try (BufferedReader said = proxy.inputReader(UTF_8)) {
      String port = said.readLine().replaceAll(".*:", "");
      String script = String.join("printf -- '" + NEXT.replace("\n", "\\n") + "'\n", commands);
      String printed = run(script.replace(PORT, port));

      assertThat(List.of(printed.split(NEXT, -1)))
          .zipSatisfy(outputs, (is, expected) -> assertThat(is).matches(pattern(expected)));
    } finally {
      proxy.destroy();
    }
  }

  private static Path page() {
    return Path.of("../docs/curl.md");
  }

  private static Pattern pattern(String expected) {
    return Pattern.compile(Pattern.quote(expected).replace("…", "\\E.*?\\Q"));
  }

  private String run(String script) throws Exception {
    Process bash =
        new ProcessBuilder("/bin/bash", "-c", script)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    bash.getOutputStream().close();
    String printed = new String(bash.getInputStream().readAllBytes(), UTF_8);
    assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return printed;
  }
}
