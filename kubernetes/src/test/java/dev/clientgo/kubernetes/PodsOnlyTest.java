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

/** Who wants pods only does not pay for the other kinds. */
final class PodsOnlyTest {

  private static final String ROOT = "dev.clientgo.kubernetes.";

  @TempDir Path folder;

  @Test
  void podInformer_ownProcess_loadsNoTypeOfOtherGroups() throws Exception {
    Path kubeconfig = folder.resolve("kubeconfig");
    Pod pod = Samples.load().of(Pod.TYPE);
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      Clientset.of(client).core().v1().pods("default").create(pod);
      server.writeKubeconfig(kubeconfig);

      List<String> classes = classesLoaded(PodWatcher.class, kubeconfig.toString());

      List<String> generated =
          classes.stream()
              .filter(name -> name.startsWith(ROOT) && !name.equals(PodWatcher.class.getName()))
              .toList();
      System.out.println(
          "A pod informer loads "
              + classes.size()
              + " classes, "
              + generated.size()
              + " generated.");
      assertThat(generated)
          .isNotEmpty()
          .allMatch(
              name ->
                  name.startsWith(ROOT + "core.v1.")
                      || name.matches(
                          "dev\\.clientgo\\.kubernetes\\.(Clientset|InformerFactory)(\\$Core(\\$V1)?)?"));
    }
  }

  private List<String> classesLoaded(Class<?> program, String argument)
      throws IOException, InterruptedException {
    Path log = folder.resolve("classes");
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:class+load:file=" + log,
                "-cp",
                System.getProperty("java.class.path"),
                program.getName(),
                argument)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
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
