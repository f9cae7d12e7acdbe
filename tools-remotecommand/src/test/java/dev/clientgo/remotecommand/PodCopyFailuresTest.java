package dev.clientgo.remotecommand;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.remotecommand.copy.CopyException;
import dev.clientgo.remotecommand.copy.CopyResult;
import dev.clientgo.remotecommand.copy.PodCopy;
import dev.clientgo.remotecommand.internal.tar.TestArchive;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Containers without tar, and containers that send archives against the user of a download. */
@Timeout(300)
final class PodCopyFailuresTest {

  @TempDir Path directory;

  private interface Use {
    void use(PodCopy copy) throws Exception;
  }

  private static void with(FakeKubelet.Script script, Use use) throws Exception {
    FakeKubelet.Script upgrading =
        connection -> {
          connection.upgrade("v5.channel.k8s.io");
          script.handle(connection);
        };
    try (FakeKubelet kubelet = new FakeKubelet(upgrading);
        RESTClient client = RESTClient.create(kubelet.config())) {
      use.use(PodCopy.of(client, "default", "p"));
    }
  }

  /** Sends an archive of the directory {@code t}, whatever the client has asked for. */
  private static FakeKubelet.Script sending(byte[] archive) {
    return connection -> {
      connection.send(1, archive);
      connection.exit(0);
    };
  }

  private static TestArchive archive() {
    return new TestArchive().directory("./t");
  }

  static Stream<Arguments> hostileArchives() {
    return Stream.of(
        argumentSet("parent", archive().file("./t/../../evil", "x"), "has a part .."),
        argumentSet("parent in the middle", archive().file("./t/a/../../../evil", "x"), "part .."),
        argumentSet("parent at the end", archive().directory("./t/.."), "part .."),
        argumentSet("absolute", archive().file("/tmp/t/evil", "x"), "absolute"),
        argumentSet("other tree", archive().file("./evil", "x"), "does not belong to /x/t"),
        argumentSet("similar tree", archive().file("./t-evil", "x"), "does not belong to /x/t"),
        argumentSet("link to the root", archive().link("./t/l", "/"), "leads out"),
        argumentSet("link to a parent", archive().link("./t/l", "../evil"), "leads out"),
        argumentSet("link to nothing", archive().link("./t/l", ""), "leads out"),
        argumentSet(
            "link that comes back through a link",
            archive().link("./t/a", ".").link("./t/l", "a/a/a/../../../evil"),
            "leads out"),
        argumentSet(
            "file through a link",
            archive().directory("./t/d").link("./t/l", "d").file("./t/l/evil", "x"),
            "is a link"),
        argumentSet(
            "directory through a link",
            archive().directory("./t/d").link("./t/l", "d").directory("./t/l"),
            "is a link"),
        argumentSet(
            "link through a link", archive().link("./t/l", "d").link("./t/l/m", "x"), "is a link"),
        argumentSet(
            "hard link to a file outside",
            archive().entry('1', "./t/h", "./t/../../secret", 0),
            "part .."),
        argumentSet(
            "hard link to an absolute file",
            archive().entry('1', "./t/h", "/etc/passwd", 0),
            "absolute"),
        argumentSet(
            "hard link to a link",
            archive().link("./t/l", "x").entry('1', "./t/h", "./t/l", 0),
            "no file of the copy"),
        argumentSet(
            "hard link through a link",
            archive().link("./t/l", "d").entry('1', "./t/h", "./t/l/f", 0),
            "is a link"),
        argumentSet(
            "hard link to nothing",
            archive().entry('1', "./t/h", "./t/none", 0),
            "no file of the copy"),
        argumentSet(
            "file in a file", archive().file("./t/f", "x").file("./t/f/g", "x"), "not a directory"),
        argumentSet(
            "file in place of a directory",
            archive().directory("./t/d").file("./t/d", "x"),
            "is a directory"),
        argumentSet(
            "link in place of a directory",
            archive().directory("./t/d").link("./t/d", "x"),
            "is a directory"),
        argumentSet(
            "file in place of the tree", archive().file("./t", "x"), "was a directory before"),
        argumentSet("a zero in a name", archive().raw(zeroInName()), "not possible here"),
        argumentSet(
            "a file of 8 EiB",
            archive().entry('0', "./t/f", "", Long.MAX_VALUE),
            "ends in the middle"),
        argumentSet(
            "no archive",
            new TestArchive().raw(new byte[600]).raw(new byte[] {1}),
            "found nothing"),
        argumentSet(
            "only text",
            new TestArchive().raw("x".repeat(600).getBytes(UTF_8)),
            "no archive of tar"));
  }

  private static byte[] zeroInName() {
    return new TestArchive()
        .entry('x', "p", "15 path=./t/a\0\n".getBytes(UTF_8))
        .file("f", "x")
        .openBytes();
  }

  @ParameterizedTest
  @MethodSource("hostileArchives")
  void download_ofAHostileArchive_writesNothingOutside(TestArchive archive, String message)
      throws Exception {
    Path secret = Files.writeString(directory.resolve("secret"), "s");
    Path target = directory.resolve("target");
    with(
        sending(archive.bytes()),
        copy ->
            assertThatThrownBy(() -> copy.download("/x/t", target))
                .isInstanceOf(CopyException.class)
                .hasMessageContaining(message));

    assertThat(directory).isDirectoryNotContaining("glob:**evil*");
    assertThat(secret).hasContent("s");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.filter(path -> !path.equals(target))).containsExactly(secret);
    }
    if (Files.exists(target)) {
      try (Stream<Path> files = Files.walk(target)) {
        assertThat(files).noneMatch(path -> path.toString().matches(".*(evil|\\.part)"));
      }
    }
  }

  @Test
  void download_toADirectoryWithALink_doesNotWriteThroughIt() throws Exception {
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Path file = Files.writeString(outside.resolve("f"), "old");
    Path target = Files.createDirectory(directory.resolve("target"));
    Files.createSymbolicLink(target.resolve("d"), outside);
    Files.createSymbolicLink(target.resolve("f"), file);

    with(sending(archive().file("./t/f", "new").bytes()), copy -> copy.download("/x/t", target));
    with(
        sending(archive().file("./t/d/f", "new").bytes()),
        copy ->
            assertThatThrownBy(() -> copy.download("/x/t", target))
                .isInstanceOf(CopyException.class)
                .hasMessageContaining("is a link"));

    assertThat(file).hasContent("old");
    assertThat(target.resolve("f")).hasContent("new");
    assertThat(Files.isSymbolicLink(target.resolve("f"))).isFalse();
  }

  @Test
  void duplicateNames_keepTheLastFile() throws Exception {
    byte[] archive =
        archive()
            .file("./t/f", "1")
            .entry('1', "./t/h", "./t/f", 0)
            .file("./t/f", "2")
            .link("./t/l", "f")
            .file("./t/l", "3")
            .entry('3', "./t/device", "", 0)
            .entry('6', "./t/pipe", "", 0)
            .bytes();
    Path target = directory.resolve("target");

    with(
        sending(archive),
        copy -> {
          CopyResult result = copy.download("/x/t", target);
          assertThat(result.skipped())
              .containsExactly(
                  "./t/device: it is a device or a pipe", "./t/pipe: it is a device or a pipe");
        });

    assertThat(target.resolve("f")).hasContent("2");
    assertThat(target.resolve("h")).hasContent("1");
    assertThat(target.resolve("l")).hasContent("3");
    try (Stream<Path> files = Files.list(target)) {
      assertThat(files).hasSize(3);
    }
  }

  @Test
  void file_thatIsALinkOrBecomesADirectory_isRefused() throws Exception {
    Path target = directory.resolve("target");
    with(
        sending(new TestArchive().link("./t", "other").bytes()),
        copy ->
            assertThatThrownBy(() -> copy.download("/x/t", target))
                .hasMessageContaining("SymbolicLinks.SKIP or FOLLOW"));
    with(
        sending(new TestArchive().file("./t", "x").file("./t/y", "x").bytes()),
        copy ->
            assertThatThrownBy(() -> copy.download("/x/t", target))
                .hasMessageContaining("is a file, not a directory"));
    assertThat(target).hasContent("x");
  }

  @Test
  void errors_ofTar_areTold() throws Exception {
    FakeKubelet.Script partly =
        connection -> {
          connection.send(1, archive().file("./t/f", "x").bytes());
          connection.send(2, "tar: ./t/g: Cannot open: Permission denied\n".getBytes(UTF_8));
          connection.exit(2);
        };
    with(
        partly,
        copy ->
            assertThatThrownBy(() -> copy.download("/x/t", directory.resolve("target")))
                .isInstanceOfSatisfying(
                    CopyException.class, e -> assertThat(e.exitCode()).hasValue(2))
                .hasMessageContaining("./t/g: Cannot open: Permission denied"));
    assertThat(directory.resolve("target/f")).hasContent("x");
  }

  /** Such as the padding of a tar with large records. */
  @Test
  @Timeout(60)
  void output_behindAnArchive_doesNotHoldItUp() throws Exception {
    byte[] archive = archive().file("./t/f", "x").bytes();
    Path target = directory.resolve("target");

    with(
        sending(Arrays.copyOf(archive, archive.length + (1 << 20))),
        copy -> copy.download("/x/t", target));

    assertThat(target.resolve("f")).hasContent("x");
  }

  @Test
  @Timeout(60)
  void output_ofATarThatUnpacks_doesNotHoldItUp() throws Exception {
    Path file = Files.writeString(directory.resolve("f"), "x");
    FakeKubelet.Script verbose =
        connection -> {
          if (connection.url().queryParameterValues("command").contains("tar")) {
            connection.read(); // The whole archive.
            connection.send(1, new byte[1 << 20]);
          }
          connection.exit(0);
          connection.awaitEnd();
        };

    with(verbose, copy -> assertThat(copy.upload(file, "/x/t").files()).isEqualTo(1));
  }

  /** As containerd, CRI-O and gVisor report it, and a shell. */
  @Test
  void tar_thatIsMissing_isTold() throws Exception {
    List<String> messages =
        List.of(
            "OCI runtime exec failed: exec: \\\"tar\\\": executable file not found in $PATH: unknown",
            "executable file `tar` not found in $PATH: No such file or directory",
            "error finding executable \\\"tar\\\" in PATH []: no such file or directory");
    Path file = Files.writeString(directory.resolve("f"), "x");
    AtomicInteger runs = new AtomicInteger();
    for (String message : messages) {
      with(
          connection -> {
            runs.incrementAndGet();
            connection.status(
                "{\"status\":\"Failure\",\"reason\":\"InternalError\",\"code\":500,\"message\":\"%s\"}"
                    .formatted(message));
          },
          copy -> {
            assertMissing(() -> copy.withRetries(9).download("/x/t", directory.resolve("t")));
            assertMissing(() -> copy.withRetries(9).upload(file, "/x/t"));
          });
    }
    assertThat(runs).hasValue(3 * messages.size()); // An upload looks for a directory first.
    with(
        connection -> {
          connection.send(2, "sh: tar: not found".getBytes(UTF_8));
          connection.exit(127);
        },
        copy -> assertMissing(() -> copy.download("/x/t", directory.resolve("t"))));
  }

  private interface Copy {
    void run() throws IOException, InterruptedException;
  }

  private static void assertMissing(Copy copy) {
    assertThatThrownBy(copy::run)
        .isInstanceOf(CopyException.class)
        .hasMessageContaining("the container cannot run tar");
  }

  @Test
  void connection_thatBreaks_isLost() throws Exception {
    Path file = Files.write(directory.resolve("f"), new byte[100_000]);
    Path target = directory.resolve("target");
    with(
        connection -> connection.send(1, archive().entry('0', "./t/f", "", 1000).openBytes()),
        copy -> {
          assertThatThrownBy(() -> copy.download("/x/t", target))
              .isInstanceOf(TransportException.class);
          assertThatThrownBy(() -> copy.upload(file, "/x/")).isInstanceOf(TransportException.class);
        });
    assertThat(target).isEmptyDirectory();
  }
}
