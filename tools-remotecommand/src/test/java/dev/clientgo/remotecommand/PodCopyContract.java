package dev.clientgo.remotecommand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.wait.Poll;
import dev.clientgo.remotecommand.copy.CopyException;
import dev.clientgo.remotecommand.copy.CopyProgress;
import dev.clientgo.remotecommand.copy.CopyResult;
import dev.clientgo.remotecommand.copy.PodCopy;
import dev.clientgo.remotecommand.copy.SymbolicLinks;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Copies to and from the container {@code c} of the pod {@code default/p}, whose processes see the
 * files of this machine.
 */
@Timeout(300)
abstract class PodCopyContract {

  private static final FileTime TIME = FileTime.from(Instant.parse("2020-02-29T12:34:56Z"));

  @TempDir Path directory;
  private Path here;
  private Path there;

  abstract RESTClient client();

  @BeforeEach
  void createDirectories() throws IOException {
    here = Files.createDirectory(directory.resolve("here"));
    there = Files.createDirectory(directory.resolve("there"));
  }

  /**
   * The programs of an interrupted copy end by themselves, and may write files until then. One that
   * is just starting has no arguments yet, so this also deletes where they write: a late one finds
   * no folder.
   */
  @AfterEach
  void awaitEndOfCommands() throws Exception {
    Poll.every(Duration.ofMillis(20))
        .immediately()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                ProcessHandle.allProcesses().noneMatch(this::worksHere) && FileTrees.delete(there));
  }

  private boolean worksHere(ProcessHandle process) {
    return process.info().commandLine().orElse("").contains(directory.toString());
  }

  private PodCopy copy() {
    return PodCopy.of(client(), "default", "p").inContainer("c");
  }

  /** Creates a tree with everything that a copy keeps. */
  private static Path tree(Path root) throws IOException {
    Files.createDirectories(root.resolve("sub/empty"));
    byte[] content = new byte[200_000];
    new Random(3).nextBytes(content);
    write(root.resolve("data.bin"), content, "rw-r-----");
    write(root.resolve("run.sh"), new byte[] {'#'}, "rwxr-xr-x");
    write(root.resolve("sub/nothing"), new byte[0], "r--r--r--");
    write(root.resolve("sub/-rf with spaces, ümlaut\nand a line"), new byte[10], "rw-rw-rw-");
    Path deep = Files.createDirectories(root.resolve(("d".repeat(60) + "/").repeat(5)));
    write(deep.resolve("f".repeat(200)), new byte[513], "rw-------");
    Files.createSymbolicLink(root.resolve("sub/link"), Path.of("../data.bin"));
    Files.createSymbolicLink(root.resolve("broken"), Path.of("sub/none"));
    Files.setPosixFilePermissions(
        root.resolve("sub/empty"), PosixFilePermissions.fromString("r-xr-x---"));
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.toList()) {
        if (!Files.isSymbolicLink(path)) {
          Files.setLastModifiedTime(path, TIME);
        }
      }
    }
    return root;
  }

  private static void write(Path path, byte[] content, String permissions) throws IOException {
    Files.write(path, content);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  @Test
  void tree_bothWays_isTheSame() throws Exception {
    String[] original = FileTrees.describe(tree(here.resolve("tree")));

    CopyResult up = copy().upload(here.resolve("tree"), there.resolve("copy").toString());
    CopyResult down = copy().download(there.resolve("copy").toString(), here.resolve("back"));

    assertThat(FileTrees.describe(there.resolve("copy"))).containsExactly(original);
    assertThat(FileTrees.describe(here.resolve("back"))).containsExactly(original);
    CopyResult expected = new CopyResult(5, 200_000 + 1 + 10 + 513, List.of(), 0);
    assertThat(up).isEqualTo(expected);
    assertThat(down).isEqualTo(expected);
    // A second copy replaces the files of the first.
    Files.writeString(there.resolve("copy/run.sh"), "changed");
    copy().upload(here.resolve("tree"), there + "/copy/.");
    assertThat(there.resolve("copy/tree/run.sh")).hasContent("#");
    copy().upload(here.resolve("tree/."), there + "/copy");
    assertThat(there.resolve("copy/run.sh")).hasContent("#");
    copy().download(there + "/copy/.", here.resolve("back"));
    assertThat(here.resolve("back/tree/run.sh")).hasContent("#");
  }

  @Test
  void file_getsTheNameOfTheDestination() throws Exception {
    write(here.resolve("a"), new byte[] {'x'}, "rw-r--r--");

    copy().upload(here.resolve("a"), there + "/b");
    copy().upload(here.resolve("a"), there.toString());
    copy().download(there + "/b", here.resolve("new/c"));
    copy().download(there + "/b", here);

    assertThat(there.resolve("b")).hasContent("x");
    assertThat(there.resolve("a")).hasContent("x");
    assertThat(here.resolve("new/c")).hasContent("x");
    assertThat(here.resolve("b")).hasContent("x");
  }

  @Test
  void hardLinks_ofADownload_areKept() throws Exception {
    Files.writeString(there.resolve("a"), "x");
    Files.createLink(there.resolve("b"), there.resolve("a"));

    copy().download(there.toString(), here.resolve("t"));

    assertThat(here.resolve("t/b")).hasContent("x");
    assertThat(Files.getAttribute(here.resolve("t/a"), "unix:nlink")).isEqualTo(2);
  }

  @Test
  void links_thatLeadOutside_areRefusedSkippedOrFollowed() throws Exception {
    Files.writeString(directory.resolve("secret"), "s");
    for (Path tree : List.of(here.resolve("t"), there.resolve("t"))) {
      Files.createDirectory(tree);
      Files.createSymbolicLink(tree.resolve("link"), Path.of("../../secret"));
    }
    String remote = there.resolve("t").toString();

    assertThatThrownBy(() -> copy().upload(here.resolve("t"), there + "/u"))
        .isInstanceOf(CopyException.class)
        .hasMessageContaining("link to ../../secret leads out of the copied tree");
    assertThatThrownBy(() -> copy().download(remote, here.resolve("d")))
        .isInstanceOf(CopyException.class)
        .hasMessageContaining("link to ../../secret leads out of the copied tree");
    assertThat(here.resolve("d/link")).doesNotExist();

    PodCopy skipping = copy().withLinks(SymbolicLinks.SKIP);
    assertThat(skipping.upload(here.resolve("t"), there + "/v").skipped())
        .containsExactly(here + "/t/link: it is a symbolic link to ../../secret");
    assertThat(skipping.download(remote, here.resolve("e")).skipped())
        .containsExactly("./t/link: it is a symbolic link to ../../secret");

    PodCopy following = copy().withLinks(SymbolicLinks.FOLLOW);
    following.upload(here.resolve("t"), there + "/w");
    following.download(remote, here.resolve("f"));
    assertThat(there.resolve("w/link")).hasContent("s");
    assertThat(here.resolve("f/link")).hasContent("s");
    assertThat(Files.isRegularFile(here.resolve("f/link"), LinkOption.NOFOLLOW_LINKS)).isTrue();
  }

  @Test
  void upload_thatFollowsALoop_throws() throws Exception {
    Files.createDirectory(here.resolve("t"));
    Files.createSymbolicLink(here.resolve("t/loop"), Path.of("."));

    assertThatThrownBy(
            () -> copy().withLinks(SymbolicLinks.FOLLOW).upload(here.resolve("t"), there + "/u"))
        .isInstanceOf(FileSystemLoopException.class);
  }

  @Test
  void source_thatIsNotThere_isAnError() {
    assertThatThrownBy(() -> copy().upload(here.resolve("none"), there + "/x"))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> copy().download(there + "/none", here.resolve("x")))
        .isInstanceOfSatisfying( // 2 of GNU's, 1 of BusyBox's.
            CopyException.class, e -> assertThat(e.exitCode().orElse(0)).isBetween(1, 2))
        .hasMessageContaining("tar ended with exit code ")
        .hasMessageContaining("No such file or directory");
    assertThat(here.resolve("x")).doesNotExist();
  }

  @Test
  void destination_thatIsNotThere_isAnError() throws Exception {
    Files.writeString(here.resolve("a"), "x");

    assertThatThrownBy(() -> copy().upload(here.resolve("a"), there + "/none/x"))
        .isInstanceOf(CopyException.class)
        .hasMessageContaining("No such file or directory");
  }

  @Test
  void progress_isReported() throws Exception {
    byte[] content = new byte[300_000];
    Files.write(here.resolve("a"), content);
    List<CopyProgress> up = new ArrayList<>();
    List<CopyProgress> down = new ArrayList<>();

    copy().onProgress(up::add).upload(here.resolve("a"), there + "/b");
    copy().onProgress(down::add).download(there + "/b", here.resolve("c"));

    for (List<CopyProgress> reports : List.of(up, down)) {
      assertThat(reports).hasSizeGreaterThan(3);
      for (int i = 1; i < reports.size(); i++) {
        assertThat(reports.get(i).bytes()).isGreaterThan(reports.get(i - 1).bytes());
      }
      CopyProgress last = reports.get(reports.size() - 1);
      assertThat(last.fileBytes()).isEqualTo(300_000);
      assertThat(last.fileSize()).isEqualTo(300_000);
      assertThat(last.files()).isEqualTo(1);
    }
  }

  @Test
  void listener_thatFails_endsTheCopy() throws Exception {
    Files.write(there.resolve("a"), new byte[3_000_000]);

    assertThatThrownBy(
            () ->
                copy()
                    .onProgress(
                        progress -> {
                          throw new IllegalStateException("enough");
                        })
                    .download(there + "/a", here.resolve("a")))
        .hasMessage("enough");
    assertThat(here).isEmptyDirectory();
  }

  /** Whether it meets the connection or a local file. */
  @RepeatedTest(5)
  void interruption_endsTheCopy() throws Exception {
    Files.write(there.resolve("a"), new byte[3_000_000]);
    Files.write(here.resolve("b"), new byte[3_000_000]);
    PodCopy interrupted = copy().withRetries(3).onProgress(p -> Thread.currentThread().interrupt());

    assertThatThrownBy(() -> interrupted.download(there + "/a", here.resolve("a")))
        .isInstanceOf(InterruptedException.class);
    assertThatThrownBy(() -> interrupted.upload(here.resolve("b"), there + "/b"))
        .isInstanceOf(InterruptedException.class);
    assertThat(here.resolve("a")).doesNotExist();
  }

  @Test
  void modesAndTimes_canBeLeftOut() throws Exception {
    write(here.resolve("a"), new byte[1], "rwxrwxrwx");
    Files.setLastModifiedTime(here.resolve("a"), TIME);
    PodCopy plain = copy().withoutModesAndTimes();

    plain.upload(here.resolve("a"), there + "/b");
    plain.download(there + "/b", here.resolve("c"));

    assertThat(Files.getLastModifiedTime(there.resolve("b"))).isGreaterThan(TIME);
    assertThat(Files.getLastModifiedTime(here.resolve("c"))).isGreaterThan(TIME);
  }

  @Test
  void pipes_areSkipped() throws Exception {
    for (Path tree : List.of(here, there)) {
      Files.createDirectory(tree.resolve("t"));
      Process mkfifo = new ProcessBuilder("mkfifo", tree + "/t/pipe").start();
      assertThat(mkfifo.waitFor()).isZero();
    }

    assertThat(copy().upload(here.resolve("t"), there + "/u").skipped()).hasSize(1);
    assertThat(copy().download(there + "/t", here.resolve("u")).skipped())
        .containsExactly("./t/pipe: it is a device or a pipe");
  }
}
