package dev.clientgo.remotecommand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.remotecommand.copy.CopyException;
import dev.clientgo.remotecommand.copy.CopyResult;
import dev.clientgo.remotecommand.copy.PodCopy;
import dev.clientgo.remotecommand.copy.SymbolicLinks;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.testing.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies lose nothing that is there, show nothing to others, and hold little in memory. */
@Timeout(120)
final class CopySafetyTest {

  @TempDir Path directory;
  private FakeKubelet kubelet;
  private RESTClient client;

  @BeforeEach
  void start() throws IOException {
    kubelet = new FakeKubelet(new LocalProcesses("v5.channel.k8s.io"));
    client = RESTClient.create(kubelet.config());
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    kubelet.close();
  }

  private PodCopy copy() {
    return PodCopy.of(client, "default", "p");
  }

  @Test
  void upload_ofADirectoryOverAFile_isRefused() throws Exception {
    Path folder = Files.createDirectory(directory.resolve("folder"));
    Files.writeString(folder.resolve("a"), "a");
    Path existing = Files.writeString(directory.resolve("existing"), "precious");

    assertThatThrownBy(() -> copy().upload(folder, existing.toString()))
        .isInstanceOf(CopyException.class)
        .hasMessageContaining("which is a file");

    assertThat(existing).hasContent("precious");
  }

  @Test
  void download_ofPrivateFiles_isPrivateWhileItGoesOn() throws Exception {
    Path source = Files.createDirectory(directory.resolve("source"));
    Path inner = Files.createDirectory(source.resolve("inner"));
    Path secret = Files.write(inner.resolve("secret"), new byte[300_000]);
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r-----"));
    Path target = directory.resolve("target");
    List<String> seen = new ArrayList<>();

    PodCopy copy =
        copy()
            .onProgress(
                progress -> {
                  try (Stream<Path> files = Files.walk(target.resolve("inner"))) {
                    for (Path path : files.filter(f -> !f.endsWith("secret")).toList()) {
                      seen.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
                    }
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
    copy.download(source.toString(), target);

    assertThat(seen).isNotEmpty().containsOnly("rwx------", "rw-------");
    assertThat(Files.getPosixFilePermissions(target.resolve("inner/secret")))
        .isEqualTo(PosixFilePermissions.fromString("rw-r-----"));
    assertThat(Files.getPosixFilePermissions(target.resolve("inner")))
        .isEqualTo(Files.getPosixFilePermissions(inner));
    Path other = directory.resolve("other");
    copy().withoutModesAndTimes().download(secret.toString(), other);
    assertThat(Files.getPosixFilePermissions(other))
        .isEqualTo(Files.getPosixFilePermissions(Files.createFile(directory.resolve("usual"))));
  }

  /** A large file is sent to another name first, which would otherwise stay in the container. */
  @Test
  void upload_ofALargeFileThatFails_leavesNoPart() throws Exception {
    Path large = directory.resolve("large");
    FileTrees.write(large, 33 << 20, new Random(0));
    Path target = Files.createDirectory(directory.resolve("target"));
    Files.createDirectory(target.resolve("large"));

    assertThatThrownBy(() -> copy().withRetries(1).upload(large, target.toString()))
        .isInstanceOf(CopyException.class)
        .hasMessageContaining("is a directory");
    assertThat(target.toFile().list()).containsExactly("large");
  }

  /** Both copies send the file to another name first. */
  @Test
  void upload_besideOneOfTheSameFileThatFails_isComplete() throws Exception {
    Path large = directory.resolve("large");
    FileTrees.write(large, 65 << 20, new Random(0));
    Path target = Files.createDirectory(directory.resolve("target"));
    PodCopy failing =
        copy()
            .withRetries(1)
            .onProgress(
                progress -> {
                  throw new IllegalStateException("the listener fails");
                });
    AtomicBoolean begun = new AtomicBoolean();
    PodCopy copy =
        copy()
            .withRetries(1)
            .onProgress(
                progress -> {
                  if (progress.fileBytes() > 40 << 20 && !begun.getAndSet(true)) {
                    assertThatThrownBy(() -> failing.upload(large, target.toString()))
                        .hasMessage("the listener fails");
                  }
                });

    copy.upload(large, target.toString());

    assertThat(begun).isTrue();
    assertThat(target.resolve("large")).hasSameBinaryContentAs(large);
    assertThat(target.toFile().list()).containsExactly("large");
  }

  /** A container does not end a program because its client has gone. */
  @Test
  void upload_thatFailsBeforeItsProgramOpensTheFile_leavesNoPart() throws Exception {
    Path large = directory.resolve("large");
    FileTrees.write(large, 33 << 20, new Random(0));
    Path target = Files.createDirectory(directory.resolve("target"));
    Path removed = directory.resolve("removed");
    Path started = directory.resolve("started");
    Path ended = directory.resolve("ended");
    assertThat(new ProcessBuilder("mkfifo", removed.toString()).start().waitFor()).isZero();
    Path tools = Files.createDirectory(directory.resolve("tools"));
    for (String name : List.of("sh", "test", "mkdir", "head")) {
      script(tools, name, "exec /bin/" + name + " \"$@\"");
    }
    script(tools, "rm", "/bin/rm \"$@\"; echo > " + removed);
    script(
        tools,
        "dd",
        // The inner program has no parent, so it lives on; the outer one takes the input.
        "((: > %s; read line < %s; echo late | /bin/dd \"$@\"; : > %s) < /dev/null > /dev/null 2>&1 &)\n"
                .formatted(started, removed, ended)
            + "exec /bin/cat > /dev/null");
    try (FakeKubelet slow = new FakeKubelet(new LocalProcesses("v5.channel.k8s.io", tools));
        RESTClient itsClient = RESTClient.create(slow.config())) {
      PodCopy failing =
          PodCopy.of(itsClient, "default", "p")
              .withRetries(1)
              .onProgress(
                  progress -> {
                    await("dd", () -> Files.exists(started));
                    throw new IllegalStateException("the listener fails");
                  });

      assertThatThrownBy(() -> failing.upload(large, target.toString()))
          .hasMessage("the listener fails");

      await("the end of dd", () -> Files.exists(ended));
      assertThat(target.toFile().list()).isEmpty();
    }
  }

  private static void script(Path folder, String name, String text) throws IOException {
    Path script = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static void await(String what, BooleanSupplier condition) {
    try {
      Eventually.await(what, condition);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void upload_ofALargePrivateFile_isPrivateWhileItGoesOn() throws Exception {
    Path secret = Files.write(directory.resolve("secret"), new byte[33 << 20]);
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r-----"));
    Path target = Files.createDirectory(directory.resolve("target"));
    Set<String> seen = new HashSet<>();

    PodCopy copy =
        copy()
            .withRetries(1)
            .onProgress(
                progress -> {
                  try (Stream<Path> files = Files.list(target)) {
                    for (Path path : files.filter(f -> !f.endsWith("secret")).toList()) {
                      seen.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
                    }
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
    copy.upload(secret, target.toString());

    assertThat(seen).isNotEmpty().containsOnly("rwx------");
    assertThat(Files.getPosixFilePermissions(target.resolve("secret")))
        .isEqualTo(PosixFilePermissions.fromString("rw-r-----"));
    copy().withRetries(1).withoutModesAndTimes().upload(secret, target + "/other");
    assertThat(Files.getPosixFilePermissions(target.resolve("other")))
        .isEqualTo(Files.getPosixFilePermissions(Files.createFile(directory.resolve("usual"))));
  }

  /** A directory that was there stays open to those who read it, also if the copy fails. */
  @Test
  void download_intoAnExistingDirectory_doesNotCloseIt() throws Exception {
    Path inner = Files.createDirectories(directory.resolve("source/inner"));
    Files.write(inner.resolve("file"), new byte[300_000]);
    Path existing = Files.createDirectories(directory.resolve("target/inner"));
    Files.setPosixFilePermissions(existing, PosixFilePermissions.fromString("r-xr-xr-x"));
    PodCopy failing =
        copy()
            .onProgress(
                progress -> {
                  throw new IllegalStateException("the listener fails");
                });

    assertThatThrownBy(
            () -> failing.download(directory.resolve("source").toString(), existing.getParent()))
        .hasMessage("the listener fails");

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(existing)))
        .isEqualTo("rwxr-xr-x");
  }

  /** Finding the first name of a file must not end the directory that gets the second one. */
  @Test
  void download_ofAHardLinkToAnotherDirectory_keepsTheTimeOfItsDirectory() throws Exception {
    Path source = directory.resolve("source");
    for (String name : List.of("a", "b")) {
      Files.createDirectories(source.resolve(name));
    }
    Path file = Files.writeString(source.resolve("a/file"), "text");
    Files.createLink(source.resolve("b/file"), file);
    FileTime old = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));
    for (String name : List.of("a", "b")) {
      Files.setLastModifiedTime(source.resolve(name), old);
    }

    copy().download(source.toString(), directory.resolve("target"));

    for (String name : List.of("a", "b")) {
      Path copied = directory.resolve("target").resolve(name);
      assertThat(copied.resolve("file")).hasContent("text");
      assertThat(Files.getLastModifiedTime(copied)).isEqualTo(old);
    }
  }

  /** A directory that its owner may not write to is written to again. */
  @Test
  void download_twiceOfAReadOnlyDirectory_keepsItsPermissions() throws Exception {
    Path inner = Files.createDirectories(directory.resolve("source/inner"));
    Files.writeString(inner.resolve("file"), "text");
    Files.setPosixFilePermissions(inner, PosixFilePermissions.fromString("r-xr-xr-x"));
    Path target = directory.resolve("target");

    copy().download(directory.resolve("source").toString(), target);
    copy().download(directory.resolve("source").toString(), target);

    assertThat(target.resolve("inner/file")).hasContent("text");
    assertThat(Files.getPosixFilePermissions(target.resolve("inner")))
        .isEqualTo(PosixFilePermissions.fromString("r-xr-xr-x"));
    for (Path each : List.of(inner, target.resolve("inner"))) { // So that they can be deleted.
      Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  @Test
  void download_ofAnyNumberOfSkippedEntries_namesTheFirst() throws Exception {
    Path source = Files.createDirectory(directory.resolve("links"));
    for (int i = 0; i < 10_050; i++) {
      Files.createSymbolicLink(source.resolve("link-" + i), Path.of("x"));
    }

    CopyResult result =
        copy()
            .withLinks(SymbolicLinks.SKIP)
            .download(source.toString(), directory.resolve("target"));

    assertThat(result.skipped()).hasSize(10_001).last().isEqualTo("and 50 more");
  }
}
