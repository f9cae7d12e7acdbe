package dev.clientgo.remotecommand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.traffic.CuttingProxy;
import dev.clientgo.remotecommand.copy.CopyProgress;
import dev.clientgo.remotecommand.copy.CopyResult;
import dev.clientgo.remotecommand.copy.PodCopy;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Copies through a network that breaks connections at random bytes.
 *
 * <p>System properties make it longer: {@code clientgo.copy.files}, the number of small files,
 * {@code clientgo.copy.mebibytes}, the size of the large one, and {@code clientgo.copy.seed}.
 */
@Timeout(1800)
final class PodCopyCutsTest {

  private static final int FILES = Integer.getInteger("clientgo.copy.files", 300);

  /** So large that a cut of the download meets bytes which are not read ahead yet: 16 + 32 MiB. */
  private static final long LARGE = Long.getLong("clientgo.copy.mebibytes", 72L) << 20;

  private static final long SEED = Long.getLong("clientgo.copy.seed", 20261125L);

  @TempDir Path directory;
  private FakeKubelet kubelet;
  private CuttingProxy proxy;
  private RESTClient client;

  @BeforeEach
  void start() throws IOException {
    kubelet = new FakeKubelet(new LocalProcesses("v5.channel.k8s.io"));
    proxy = CuttingProxy.to(kubelet.config().server());
    client = RESTClient.create(kubelet.config().toBuilder().server(proxy.url().toString()).build());
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    proxy.close();
    kubelet.close();
  }

  private PodCopy copy() {
    return PodCopy.of(client, "default", "p");
  }

  /** Cuts the connection when so many more bytes are copied, again and again. */
  private Consumer<CopyProgress> cutting(long meanBytes) {
    Random random = new Random(SEED);
    return new Consumer<>() {
      private long last;
      private long left = random.nextLong(2 * meanBytes);

      @Override
      public void accept(CopyProgress progress) {
        left -= Math.max(0, progress.bytes() - last); // After a cut, the number goes back.
        last = progress.bytes();
        if (left <= 0) {
          left = random.nextLong(2 * meanBytes);
          proxy.cut();
        }
      }
    };
  }

  private static void createTree(Path root) throws IOException {
    Random random = new Random(SEED);
    FileTime time = FileTime.from(Instant.parse("2021-03-04T05:06:07Z"));
    for (int i = 0; i < FILES; i++) {
      Path file = root.resolve("dir-" + i % 20 + "/sub-" + i % 3 + "/file-" + i);
      Files.createDirectories(file.getParent());
      FileTrees.write(file, random.nextInt(20_000), random);
      Files.setLastModifiedTime(file, time);
    }
    FileTrees.write(root.resolve("dir-10/large"), LARGE, random);
    Files.setLastModifiedTime(root.resolve("dir-10/large"), time);
    try (var paths = Files.walk(root)) {
      for (Path path : paths.filter(Files::isDirectory).toList()) {
        Files.setLastModifiedTime(path, time);
      }
    }
  }

  @Test
  void copies_cutAnywhere_areExact() throws Exception {
    Path source = Files.createDirectory(directory.resolve("source"));
    createTree(source);
    String[] original = FileTrees.describe(source);
    Path remote = directory.resolve("remote");

    long start = Clock.system().nanoTime();
    CopyResult up =
        copy()
            .withRetries(50)
            .onProgress(cutting(Math.min(48 << 20, LARGE / 4)))
            .upload(source, remote.toString());
    long middle = Clock.system().nanoTime();
    assertThat(FileTrees.describe(remote)).describedAs("seed %d", SEED).containsExactly(original);
    CopyResult down =
        copy()
            .withRetries(50)
            .onProgress(cutting(8 << 20))
            .download(remote.toString(), directory.resolve("back"));
    long end = Clock.system().nanoTime();

    assertThat(FileTrees.describe(directory.resolve("back")))
        .describedAs("seed %d", SEED)
        .containsExactly(original);
    assertThat(up.files()).isEqualTo(FILES + 1);
    assertThat(down.files()).isEqualTo(FILES + 1);
    assertThat(down.bytes()).isEqualTo(up.bytes());
    assertThat(up.retries()).describedAs("seed %d", SEED).isPositive();
    assertThat(down.retries()).describedAs("seed %d", SEED).isPositive();
    System.out.printf(
        "seed %d: %d files, %d MiB; up %d cuts, %d ms; down %d cuts, %d ms%n",
        SEED,
        up.files(),
        up.bytes() >> 20,
        up.retries(),
        (middle - start) / 1_000_000,
        down.retries(),
        (end - middle) / 1_000_000);
  }

  @Test
  void tree_thatChangesDuringACut_isCopiedAnew() throws Exception {
    Path remote = Files.createDirectory(directory.resolve("remote"));
    // From the cut on, more than the client reads ahead and the buffers of the connections hold.
    for (int i = 0; i < 60; i++) {
      FileTrees.write(remote.resolve("file-" + i), 1_500_000, new Random(i));
    }
    boolean[] cut = new boolean[1];
    Consumer<CopyProgress> changing =
        progress -> {
          if (progress.files() == 20 && !cut[0]) {
            cut[0] = true;
            proxy.cut();
            try {
              FileTrees.write(remote.resolve(progress.file()), 7, new Random(0));
              FileTrees.write(remote.resolve("file-0"), 50, new Random(0));
              FileTrees.write(remote.resolve("file-59"), 7000, new Random(0));
              FileTrees.write(remote.resolve("new"), 100_000, new Random(0));
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          }
        };

    CopyResult result =
        copy()
            .withRetries(5)
            .withoutModesAndTimes()
            .onProgress(changing)
            .download(remote.toString(), directory.resolve("back"));

    assertThat(FileTrees.contents(directory.resolve("back")))
        .containsExactlyEntriesOf(FileTrees.contents(remote));
    assertThat(result.files()).isEqualTo(61);
    assertThat(result.retries()).isEqualTo(2);
  }

  @Test
  void cuts_withoutAnyProgress_endTheCopy() throws Exception {
    Path file = Files.writeString(directory.resolve("f"), "x");
    proxy.refuse();

    assertThatThrownBy(() -> copy().withRetries(2).upload(file, directory + "/g"))
        .isInstanceOf(TransportException.class);
    assertThatThrownBy(() -> copy().download(directory + "/f", directory.resolve("g")))
        .isInstanceOf(TransportException.class);
  }
}
