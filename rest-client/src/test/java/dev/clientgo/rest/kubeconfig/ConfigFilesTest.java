package dev.clientgo.rest.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.rest.config.PemSource;
import dev.clientgo.rest.internal.auth.CachedToken;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Files of a configuration that are too large or of another kind, and links to files. */
@Timeout(value = 60, threadMode = SEPARATE_THREAD)
final class ConfigFilesTest {

  private static final String CA = "certificate-authority";

  @TempDir private Path directory;

  /** The open of a pipe without a writer would not return. */
  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "mkfifo is a program of POSIX")
  void namedPipe_isRefused() throws Exception {
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

    assertFails(() -> KubeConfig.read(pipe), pipe, "it is not a regular file");
    assertFails(() -> KubeConfig.readUnresolved(pipe), pipe, "it is not a regular file");
    assertFails(() -> new PemSource.File(pipe).read(CA), pipe, "it is not a regular file");
    assertFails(() -> token(pipe).current(), pipe, "it is not a regular file");
    assertFails(() -> withAuthority(pipe).flatten(), pipe, "it is not a regular file");
  }

  @Test
  void largeFile_isRefused() throws IOException {
    Path token = file("token", (1 << 20) + 1);
    Path other = file("other", (16 << 20) + 1);

    assertFails(() -> token(token).current(), token, "it has more than 1048576 bytes");
    assertFails(() -> KubeConfig.read(other), other, "it has more than 16777216 bytes");
    assertFails(() -> new PemSource.File(other).read(CA), other, "it has more than 16777216 bytes");
    assertFails(() -> withAuthority(other).flatten(), other, "it has more than 16777216 bytes");
    assertThat(new PemSource.File(file("largest", 16 << 20)).read(CA)).hasSize(16 << 20);
  }

  /** Kubernetes mounts secrets so, and KUBECONFIG=/dev/null is a habit. */
  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "links need a privilege there")
  void links_andTheNullDevice_areRead() throws Exception {
    Path data = Files.createDirectory(directory.resolve("..2026"));
    Files.writeString(data.resolve("token"), "t");
    Files.createSymbolicLink(directory.resolve("..data"), data.getFileName());
    Path link = directory.resolve("token");
    Files.createSymbolicLink(link, Path.of("..data", "token"));

    assertThat(token(link).current().authorization()).isEqualTo("Bearer t");
    assertThat(KubeConfig.read(Path.of("/dev/null"))).isEqualTo(KubeConfig.EMPTY);
  }

  private Path file(String name, long bytes) throws IOException {
    Path file = directory.resolve(name);
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(bytes);
    }
    return file;
  }

  private static CachedToken token(Path file) {
    return CachedToken.ofFile(file, null, FakeClock.create());
  }

  private static KubeConfig withAuthority(Path file) {
    return KubeConfig.parse("clusters: [{name: c, cluster: {" + CA + ": '" + file + "'}}]");
  }

  private static void assertFails(ThrowingCallable call, Path file, String reason) {
    assertThatThrownBy(call)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(file.toString())
        .hasMessageEndingWith(": " + reason);
  }
}
