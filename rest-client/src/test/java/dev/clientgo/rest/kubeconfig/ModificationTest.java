package dev.clientgo.rest.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Changing kubeconfigs. The Go tests named are in {@code tools/clientcmd/config_test.go} and {@code
 * loader_test.go}.
 */
final class ModificationTest {

  private static final String FIRST =
      """
      clusters: [{name: c1, cluster: {server: "https://one", certificate-authority: pki/ca}}]
      unknown: {kept: true}
      """;
  private static final String SECOND =
      """
      current-context: x
      clusters: [{name: c2, cluster: {server: "https://two", also: kept}}]
      users: [{name: u, user: {token: t}}]
      contexts: [{name: x, context: {cluster: c1, user: u}}]
      """;

  @TempDir private Path directory;

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private KubeConfigLoader loader(Path... files) {
    String list =
        Stream.of(files)
            .map(Path::toString)
            .collect(java.util.stream.Collectors.joining(File.pathSeparator));
    return KubeConfigLoader.builder(Map.of("KUBECONFIG", list)).build();
  }

  /** TestModifyConfigWritesToFirstKubeconfigFile: each entry goes to the file that it came from. */
  @Test
  void entry_isWrittenToItsFile() throws IOException {
    Path first = write("first", FIRST);
    Path second = write("second", SECOND);
    String before = Files.readString(first);

    loader(first, second)
        .modify(
            config ->
                config.toBuilder()
                    .user("u", config.users().get("u").toBuilder().token("new").build())
                    .cluster(
                        "c2", config.clusters().get("c2").toBuilder().server("https://2").build())
                    .build());

    assertThat(Files.readString(first)).isEqualTo(before);
    KubeConfig changed = KubeConfig.read(second);
    assertThat(changed.users().get("u").token()).isEqualTo("new");
    assertThat(changed.clusters().get("c2").server()).isEqualTo("https://2");
    assertThat(changed.clusters()).doesNotContainKey("c1");
    assertThat(Files.readString(second)).contains("also: kept");
  }

  @Test
  void newEntry_isWrittenToTheFirstFileThatExists() throws IOException {
    Path missing = directory.resolve("missing");
    Path first = write("first", FIRST);
    Path second = write("second", SECOND);

    loader(missing, first, second)
        .modify(
            config ->
                config.toBuilder()
                    .user("new", AuthInfo.builder().token("t").build())
                    .context("new", Context.builder().cluster("c2").user("new").build())
                    .currentContext("new")
                    .build());

    KubeConfig changed = KubeConfig.read(first);
    assertThat(changed.users()).containsKey("new");
    assertThat(changed.contexts()).containsKey("new");
    assertThat(changed.currentContext()).isEqualTo("new");
    assertThat(Files.readString(first)).contains("unknown:", "certificate-authority: pki/ca");
    assertThat(KubeConfig.read(second).currentContext()).isEqualTo("x");
    assertThat(missing).doesNotExist();
    assertThat(loader(missing, first, second).kubeConfig().currentContext()).isEqualTo("new");
  }

  /** The last of the list, if there is none of them. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void newFile_isForItsOwnerAlone() throws IOException {
    Path last = directory.resolve("deep/config");

    loader(directory.resolve("a"), last)
        .modify(config -> config.toBuilder().currentContext("x").build());

    assertThat(directory.resolve("a")).doesNotExist();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(last)))
        .isEqualTo("rw-------");
    try (Stream<Path> all = Files.list(last.getParent())) {
      assertThat(all).containsExactly(last);
    }
  }

  @Test
  void removedEntry_isRemovedFromItsFile() throws IOException {
    Path first = write("first", FIRST);
    Path second = write("second", SECOND);

    loader(first, second)
        .modify(
            config ->
                config.toBuilder()
                    .cluster("c1", null)
                    .user("u", null)
                    .context("x", null)
                    .currentContext(null)
                    .build());

    assertThat(KubeConfig.read(first).clusters()).isEmpty();
    assertThat(KubeConfig.read(second).users()).isEmpty();
    assertThat(KubeConfig.read(second).contexts()).isEmpty();
    assertThat(KubeConfig.read(second).clusters()).containsKey("c2");
    assertThat(KubeConfig.read(second).currentContext()).isNull();
  }

  @Test
  void nothingChanged_writesNothing() throws IOException {
    Path first = write("first", "# a comment\n" + FIRST);

    loader(first).modify(config -> config);

    assertThat(Files.readString(first)).startsWith("# a comment");
  }

  /** TestRelativizePathWithNoBacksteps: below its directory relative, elsewhere absolute. */
  @Test
  void paths_belowTheFile_areWrittenRelative() throws IOException {
    Path first = write("first", FIRST);
    String inside = directory.resolve("pki/new").toString();

    loader(first)
        .modify(
            config ->
                config.toBuilder()
                    .cluster("in", Cluster.builder().certificateAuthority(inside).build())
                    .cluster("out", Cluster.builder().certificateAuthority("/elsewhere").build())
                    .user("u", AuthInfo.builder().tokenFile("../token").build())
                    .build());

    assertThat(Files.readString(first))
        .contains("certificate-authority: " + Path.of("pki", "new"))
        .contains("certificate-authority: /elsewhere")
        .contains("tokenFile: " + directory.getParent().resolve("token"));
    assertThat(KubeConfig.read(first).clusters().get("in").certificateAuthority())
        .isEqualTo(inside);
  }

  /** TestFileLocking: a lock that is there is not waited for, and never taken away. */
  @Test
  void lock_ofAnother_isRespected() throws IOException {
    Path first = write("first", FIRST);
    Path second = write("second", SECOND);
    Path lock = write("second.lock", "");

    assertThatThrownBy(() -> loader(first, second).modify(config -> config))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "kubeconfig "
                + second
                + " is being changed by another program; if there is none, delete "
                + lock);
    assertThat(lock).exists();
    assertThat(directory.resolve("first.lock")).doesNotExist();
  }

  @Test
  void lock_isReleasedWhateverHappens() throws IOException {
    Path first = write("first", FIRST);

    assertThatThrownBy(
            () ->
                loader(first)
                    .modify(
                        config -> {
                          throw new IllegalStateException("mine");
                        }))
        .hasMessage("mine");
    loader(first).modify(config -> config.toBuilder().currentContext("y").build());

    assertThat(KubeConfig.read(first).currentContext()).isEqualTo("y");
    assertThat(directory.resolve("first.lock")).doesNotExist();
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void link_staysALink() throws IOException {
    Path real = write("real", FIRST);
    Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-r-----"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), real);

    loader(link).modify(config -> config.toBuilder().currentContext("y").build());

    assertThat(link).isSymbolicLink();
    assertThat(KubeConfig.read(real).currentContext()).isEqualTo("y");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(real)))
        .isEqualTo("rw-r-----");
  }

  @Test
  void damagedFile_isNotReplaced() throws IOException {
    Path damaged = write("damaged", "a: [");

    assertThatThrownBy(
            () -> loader(damaged).modify(config -> config.toBuilder().currentContext("y").build()))
        .isInstanceOf(ConfigException.class);
    assertThat(Files.readString(damaged)).isEqualTo("a: [");
  }

  /** Preferences and extensions: to the first file that has them, or else with new entries. */
  @Test
  void preferences_areWrittenWhereTheyAre() throws IOException {
    Path first = write("first", FIRST);
    Path second = write("second", SECOND + "preferences: {colors: false}\n");

    loader(first, second)
        .modify(
            config ->
                config.toBuilder()
                    .preferences(Map.of("colors", true))
                    .extension("mine", "x")
                    .build());

    assertThat(KubeConfig.read(second).preferences()).isEqualTo(Map.of("colors", true));
    assertThat(KubeConfig.read(first).preferences()).isEmpty();
    assertThat(KubeConfig.read(first).extension("mine")).isEqualTo("x");
    assertThat(Files.readString(first)).contains("unknown:");
  }

  @Test
  void listOfNothing_cannotBeChanged() {
    KubeConfigLoader nothing =
        KubeConfigLoader.builder(Map.of("KUBECONFIG", File.pathSeparator)).build();

    assertThatThrownBy(() -> nothing.modify(config -> config))
        .isInstanceOf(ConfigException.class)
        .hasMessage("KUBECONFIG names no file to write to");
  }
}
