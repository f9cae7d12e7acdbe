package dev.clientgo.envtest.internal.process;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the binaries of etcd, kube-apiserver and the other parts of a cluster: in the folder that
 * {@code KUBEBUILDER_ASSETS} names, as for other users of envtest, or in the cache that {@code
 * envtest/kube-apiserver/build} fills.
 *
 * @param folder a folder with at least etcd and kube-apiserver
 */
public record ServerBinaries(Path folder) {

  /** The version that this project builds and tests against. */
  public static final String VERSION = "1.37.2";

  public ServerBinaries {
    requireNonNull(folder, "folder");
  }

  public Path etcd() {
    return folder.resolve("etcd");
  }

  public Path kubeApiServer() {
    return folder.resolve("kube-apiserver");
  }

  /** Returns another binary of the folder. */
  public Optional<Path> optional(String name) {
    return Optional.of(folder.resolve(name)).filter(Files::isExecutable);
  }

  /**
   * Checks that the folder has other binaries.
   *
   * @throws ConfigException if it lacks some
   */
  public void require(List<String> names) {
    List<String> absent = names.stream().filter(name -> optional(name).isEmpty()).toList();
    if (!absent.isEmpty()) {
      throw new ConfigException(
          "no "
              + String.join(", ", absent)
              + " in "
              + folder
              + "; build them with envtest/kube-apiserver/build, or start the cluster without");
    }
  }

  /** Returns the program that lets no process outlive this JVM, where there is one. */
  public Optional<Path> guard() {
    return optional("process-guard");
  }

  /** Returns the binaries in one folder. */
  public static ServerBinaries in(Path folder) {
    return find(List.of(folder)).orElseThrow(() -> missing(List.of(folder)));
  }

  /** Returns the binaries in the first default folder that has them. */
  public static ServerBinaries locate() {
    List<Path> folders = folders(System.getenv());
    return find(folders).orElseThrow(() -> missing(folders));
  }

  /** Returns whether a default folder has the binaries. */
  public static boolean present() {
    return present(List.of());
  }

  /** Returns whether a default folder has the binaries and the others named. */
  public static boolean present(List<String> others) {
    return find(folders(System.getenv()))
        .filter(found -> others.stream().allMatch(name -> found.optional(name).isPresent()))
        .isPresent();
  }

  private static Optional<ServerBinaries> find(List<Path> folders) {
    return folders.stream()
        .map(ServerBinaries::new)
        .filter(each -> Files.isExecutable(each.etcd()))
        .filter(each -> Files.isExecutable(each.kubeApiServer()))
        .findFirst();
  }

  /** Returns the folders to search, in order. */
  public static List<Path> folders(Map<String, String> environment) {
    List<Path> folders = new ArrayList<>();
    @Nullable String assets = environment.get("KUBEBUILDER_ASSETS");
    if (assets != null && !assets.isEmpty()) {
      folders.add(Path.of(assets));
    }
    folders.add(cache(environment).resolve("kube-apiserver-" + VERSION + "-" + platform()));
    return folders;
  }

  private static Path cache(Map<String, String> environment) {
    @Nullable String own = environment.get("CLIENTGO_CACHE");
    if (own != null && !own.isEmpty()) {
      return Path.of(own);
    }
    @Nullable String xdg = environment.get("XDG_CACHE_HOME");
    Path caches =
        xdg != null && !xdg.isEmpty()
            ? Path.of(xdg)
            : Path.of(System.getProperty("user.home"), ".cache");
    return caches.resolve("client-go-java");
  }

  /** Returns the platform in Go's notation, such as {@code linux-amd64}. */
  private static String platform() {
    String os = System.getProperty("os.name").startsWith("Mac") ? "darwin" : "linux";
    String arch = System.getProperty("os.arch");
    return os
        + "-"
        + switch (arch) {
          case "x86_64" -> "amd64";
          case "aarch64" -> "arm64";
          default -> arch;
        };
  }

  private static ConfigException missing(List<Path> folders) {
    StringBuilder text = new StringBuilder("no etcd and kube-apiserver binaries in ");
    for (int i = 0; i < folders.size(); i++) {
      text.append(i == 0 ? "" : " or ").append(folders.get(i));
    }
    text.append(
            "; build them with envtest/kube-apiserver/build (needs Go, takes some minutes once),")
        .append(" or set KUBEBUILDER_ASSETS to a folder that has them");
    return new ConfigException(text.toString());
  }
}
