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
 * Finds the binaries of etcd and kube-apiserver: in the folder that {@code KUBEBUILDER_ASSETS}
 * names, as for other users of envtest, or in the cache that {@code envtest/kube-apiserver/build}
 * fills.
 *
 * @param etcd the etcd binary
 * @param kubeApiServer the kube-apiserver binary
 */
public record ServerBinaries(Path etcd, Path kubeApiServer) {

  /** The version that this project builds and tests against. */
  public static final String VERSION = "1.36.2";

  public ServerBinaries {
    requireNonNull(etcd, "etcd");
    requireNonNull(kubeApiServer, "kubeApiServer");
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
    return find(folders(System.getenv())).isPresent();
  }

  private static Optional<ServerBinaries> find(List<Path> folders) {
    for (Path folder : folders) {
      Path etcd = folder.resolve("etcd");
      Path kubeApiServer = folder.resolve("kube-apiserver");
      if (Files.isExecutable(etcd) && Files.isExecutable(kubeApiServer)) {
        return Optional.of(new ServerBinaries(etcd, kubeApiServer));
      }
    }
    return Optional.empty();
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
