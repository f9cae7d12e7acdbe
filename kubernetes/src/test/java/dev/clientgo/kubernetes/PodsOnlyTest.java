package dev.clientgo.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that uses only pods does not load the other kinds. */
final class PodsOnlyTest {

  private static final String ROOT = "dev.clientgo.kubernetes.";

  @TempDir Path folder;

  @Test
  void podInformer_ownProcess_loadsNoTypeOfOtherGroups() throws Exception {
    List<String> generated =
        classesOfPodWatcher().stream()
            .filter(name -> name.startsWith(ROOT) && !name.equals(PodWatcher.class.getName()))
            .toList();

    assertThat(generated)
        .isNotEmpty()
        .allMatch(
            name ->
                name.startsWith(ROOT + "core.v1.")
                    || name.matches(
                        "dev\\.clientgo\\.kubernetes\\.(Clientset|InformerFactory)(\\$Core(\\$V1)?)?"));
  }

  /** Each of these brings dozens of classes or more, and a cold start would wait for them. */
  @Test
  void podInformer_ownProcess_loadsNothingThatItDoesNotNeed() throws Exception {
    assertThat(classesOfPodWatcher())
        .contains("dev.clientgo.cache.Reflector", "okhttp3.OkHttpClient")
        .noneMatch(name -> name.startsWith("tools.jackson."))
        .noneMatch(name -> name.startsWith("org.bouncycastle."))
        .noneMatch(name -> name.startsWith("kotlin.coroutines."))
        .doesNotContain(
            "javax.net.ssl.SSLContext",
            "okhttp3.internal.http2.Http2Connection",
            "java.util.Formatter",
            "dev.clientgo.rest.internal.policy.WarningHeaders");
  }

  /** Returns the classes that an informer loads to follow one pod, in plain HTTP. */
  private List<String> classesOfPodWatcher() throws Exception {
    Path kubeconfig = folder.resolve("kubeconfig");
    Pod pod = Samples.load().of(Pod.TYPE);
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      Clientset.of(client).core().v1().pods("default").create(pod);
      server.writeKubeconfig(kubeconfig);
      return classesLoaded(PodWatcher.class, kubeconfig.toString());
    }
  }

  private List<String> classesLoaded(Class<?> program, String argument)
      throws IOException, InterruptedException {
    Path log = folder.resolve("classes");
    Path output = folder.resolve("output");
    // A log line on a machine that hangs would load classes, too.
    Path logging = Files.writeString(folder.resolve("logging.properties"), ".level = OFF\n");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:class+load:file=" + log,
                "-Djava.util.logging.config.file=" + logging,
                "-cp",
                System.getProperty("java.class.path"),
                program.getName(),
                argument)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(100, TimeUnit.SECONDS)).as(Files.readString(output)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(Files.readString(output)).contains("pod sample");
    return Files.readAllLines(log).stream()
        .map(line -> line.replaceFirst("^(\\[[^\\]]*\\])+ ", ""))
        .filter(line -> line.contains(" source: "))
        .map(line -> line.substring(0, line.indexOf(' ')).replaceFirst("\\$\\$Lambda.*", ""))
        .toList();
  }
}
