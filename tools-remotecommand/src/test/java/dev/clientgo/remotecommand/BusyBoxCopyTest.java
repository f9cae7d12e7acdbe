package dev.clientgo.remotecommand;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.rest.RESTClient;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract of copies with the programs of BusyBox, which the images of Alpine have. It runs if
 * {@code busybox} is on the PATH, or {@code -Dbusybox=FILE} names it.
 */
final class BusyBoxCopyTest extends PodCopyContract {

  private static FakeKubelet kubelet;
  private static RESTClient client;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    String path = System.getProperty("busybox", System.getenv().getOrDefault("PATH", ""));
    Path busybox =
        Arrays.stream(path.split(File.pathSeparator, -1))
            .flatMap(each -> Stream.of(Path.of(each), Path.of(each, "busybox")))
            .filter(file -> file.endsWith("busybox") && Files.isRegularFile(file))
            .findFirst()
            .orElse(null);
    assumeTrue(busybox != null, "no busybox on the PATH: apt-get install busybox-static");
    kubelet = new FakeKubelet(new LocalProcesses("v5.channel.k8s.io", links(busybox, folder)));
    client = RESTClient.create(kubelet.config());
  }

  /** BusyBox is the program by whose name it is called. */
  private static Path links(Path busybox, Path folder) throws Exception {
    Path copy = Files.copy(busybox, folder.resolve("busybox"), COPY_ATTRIBUTES);
    Process list = new ProcessBuilder(copy.toString(), "--list").start();
    for (String name : new String(list.getInputStream().readAllBytes(), UTF_8).lines().toList()) {
      if (!name.equals("busybox")) {
        Files.createSymbolicLink(folder.resolve(name), copy.getFileName());
      }
    }
    return folder;
  }

  @AfterAll
  static void stop() throws Exception {
    if (kubelet != null) {
      client.close();
      kubelet.close();
    }
  }

  @Override
  RESTClient client() {
    return client;
  }
}
