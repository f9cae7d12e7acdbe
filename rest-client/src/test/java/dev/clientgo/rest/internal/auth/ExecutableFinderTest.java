package dev.clientgo.rest.internal.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class ExecutableFinderTest {

  /** As in Go, a name must not lead to a program in or below the current directory. */
  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the folder may be on another drive")
  void find_inARelativeFolderOfPath_findsNothing(@TempDir Path folder) throws Exception {
    Path program = Files.createFile(folder.resolve("login"));
    assertThat(program.toFile().setExecutable(true)).isTrue();
    String relative = Path.of("").toAbsolutePath().relativize(folder).toString();

    for (String path : new String[] {relative, "./" + relative, "", ".", "./"}) {
      assertThat(new ExecutableFinder(Map.of("PATH", path)).find("login")).isEmpty();
    }
    String both = relative + File.pathSeparator + folder;
    assertThat(new ExecutableFinder(Map.of("PATH", both)).find("login")).contains(program);
  }
}
