package dev.clientgo.examples;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.cache.Lister;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.ApiServer;
import dev.clientgo.kubernetes.Clientset;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * A local Maven repository with what is being built here, as if it were installed, and the
 * libraries of the repository that this build uses. The build itself is not installed by that.
 */
record LocalRepository(Path folder) implements AutoCloseable {

  private static final String VERSION = "0.1.0-SNAPSHOT";

  /** A class of each module that a program or its tests need. */
  private static final Map<String, Class<?>> MODULES =
      Map.of(
          "util-clock", Clock.class,
          "api-machinery", ObjectMeta.class,
          "tools-cache", Lister.class,
          "rest-client", RESTClient.class,
          "kubernetes", Clientset.class,
          "envtest", ApiServer.class);

  /** Makes the repository in an empty folder. */
  static LocalRepository create(Path folder) throws IOException, URISyntaxException {
    Path used =
        Path.of(
            System.getProperty(
                "localRepository", System.getProperty("user.home") + "/.m2/repository"));
    link(used, folder, "dev");
    link(used.resolve("dev"), Files.createDirectories(folder.resolve("dev")), "clientgo");
    installPom(folder, "clientgo-parent", Path.of("../pom.xml"));
    installPom(folder, "bom", Path.of("../bom/pom.xml"));
    for (Map.Entry<String, Class<?>> module : MODULES.entrySet()) {
      installPom(folder, module.getKey(), Path.of("..", module.getKey(), "pom.xml"));
      Path classes =
          Path.of(module.getValue().getProtectionDomain().getCodeSource().getLocation().toURI());
      Path jar = file(folder, module.getKey(), ".jar");
      if (Files.isDirectory(classes)) {
        pack(classes, jar);
      } else {
        Files.copy(classes, jar);
      }
    }
    return new LocalRepository(folder);
  }

  /** Removes the links, so that the folder can be deleted without a word about them. */
  @Override
  public void close() throws IOException {
    unlink(folder);
    unlink(folder.resolve("dev"));
  }

  private static void unlink(Path folder) throws IOException {
    for (Path entry : entries(folder)) {
      if (Files.isSymbolicLink(entry)) {
        Files.delete(entry);
      }
    }
  }

  /** Links to the entries of a folder, but for one. */
  private static void link(Path from, Path to, String without) throws IOException {
    for (Path entry : entries(from)) {
      if (!entry.endsWith(without)) {
        Files.createSymbolicLink(to.resolve(entry.getFileName()), entry);
      }
    }
  }

  private static List<Path> entries(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.toList();
    }
  }

  private static void installPom(Path folder, String module, Path pom) throws IOException {
    Path installed = file(folder, module, ".pom");
    Files.createDirectories(installed.getParent());
    Files.copy(pom, installed);
  }

  private static Path file(Path folder, String module, String suffix) {
    return folder
        .resolve("dev/clientgo")
        .resolve(module)
        .resolve(VERSION)
        .resolve(module + "-" + VERSION + suffix);
  }

  /** For builds that end before the modules are packed, such as {@code mvn test}. */
  private static void pack(Path classes, Path jar) throws IOException {
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream packed = new JarOutputStream(out);
        Stream<Path> tree = Files.walk(classes)) {
      for (Path file : tree.filter(Files::isRegularFile).toList()) {
        packed.putNextEntry(new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
        Files.copy(file, packed);
      }
    }
  }
}
