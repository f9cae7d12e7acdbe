package dev.clientgo.examples.podcopy;

import dev.clientgo.envtest.traffic.CuttingProxy;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.Lesson;
import dev.clientgo.examples.lesson.RunningPod;
import dev.clientgo.remotecommand.RemoteCommand;
import dev.clientgo.remotecommand.copy.CopyException;
import dev.clientgo.remotecommand.copy.CopyProgress;
import dev.clientgo.remotecommand.copy.CopyResult;
import dev.clientgo.remotecommand.copy.PodCopy;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The lesson of copies. */
@Command(
    name = "pod-copy",
    description =
        "Copies a tree of files into a pod and out again, and breaks the connection in the middle"
            + " of both. Takes a pod of your cluster, which needs tar, or creates one.")
public final class PodCopyLesson extends Lesson {

  private static final int LARGE = 8 << 20;

  @Option(
      names = {"-n", "--namespace"},
      description = "The namespace of the pod; default by default.")
  private String namespace = "default";

  @Parameters(paramLabel = "POD", arity = "0..1", description = "The pod.")
  private @Nullable String pod;

  /** The command line parser calls this. */
  public PodCopyLesson() {}

  @Override
  protected void run(Cluster cluster, RESTClient client, PrintWriter out)
      throws IOException, InterruptedException, TimeoutException {
    Path folder = Files.createTempDirectory("pod-copy");
    try (RunningPod running =
            RunningPod.require(cluster, client, namespace, pod, "exec sleep 1000");
        CuttingProxy proxy = CuttingProxy.to(cluster.config().server());
        RESTClient shaky = RESTClient.create(cluster.config(proxy))) {
      String remote = inPod(client, running.name(), "mktemp", "-d").strip();
      PodCopy copy = PodCopy.of(shaky, namespace, running.name()).withRetries(10);
      Path site = createSite(folder.resolve("site"));
      upload(copy, site, remote, proxy, out);
      out.println("in the pod: " + words(inPod(client, running.name(), "ls", remote + "/site")));
      Path back = folder.resolve("back");
      download(copy, remote + "/site", back, proxy, out);
      out.println("the same: " + isSame(site, back));
      whatIsNotThere(copy, remote, folder, out);
      inPod(client, running.name(), "rm", "-r", remote);
    } finally {
      delete(folder);
    }
  }

  private String inPod(RESTClient client, String name, String... words)
      throws InterruptedException {
    return RemoteCommand.exec(client, namespace, name, words).run().orThrow().text();
  }

  private static String words(String text) {
    return String.join(" ", text.lines().toList());
  }

  private static Path createSite(Path site) throws IOException {
    Files.createDirectory(site);
    Files.writeString(site.resolve("index.html"), "<h1>hello</h1>");
    byte[] large = new byte[LARGE];
    new Random(1).nextBytes(large);
    Files.write(site.resolve("film.mp4"), large);
    Files.createSymbolicLink(site.resolve("latest"), Path.of("film.mp4"));
    return site;
  }

  private static void upload(
      PodCopy copy, Path site, String remote, CuttingProxy proxy, PrintWriter out)
      throws IOException, InterruptedException {
    CopyResult up = copy.onProgress(cutOnce(proxy, out)).upload(site, remote);
    out.println("up: %d files, %d bytes".formatted(up.files(), up.bytes()));
  }

  private static void download(
      PodCopy copy, String remote, Path back, CuttingProxy proxy, PrintWriter out)
      throws IOException, InterruptedException {
    CopyResult down = copy.onProgress(cutOnce(proxy, out)).download(remote, back);
    out.println("down: %d files, %d bytes".formatted(down.files(), down.bytes()));
  }

  /** Breaks the connection when a quarter of the large file is there. */
  private static Consumer<CopyProgress> cutOnce(CuttingProxy proxy, PrintWriter out) {
    AtomicBoolean isCut = new AtomicBoolean();
    return progress -> {
      if (progress.fileBytes() > LARGE / 4 && isCut.compareAndSet(false, true)) {
        proxy.cut();
        out.println("(the connection broke)");
      }
    };
  }

  private static boolean isSame(Path site, Path back) throws IOException {
    for (String name : new String[] {"index.html", "film.mp4"}) {
      if (Files.mismatch(site.resolve(name), back.resolve(name)) >= 0) {
        return false;
      }
    }
    return Files.readSymbolicLink(back.resolve("latest")).equals(Path.of("film.mp4"));
  }

  /** The error contains what {@code tar} says in the container. */
  private static void whatIsNotThere(PodCopy copy, String remote, Path folder, PrintWriter out)
      throws IOException, InterruptedException {
    try {
      copy.download(remote + "/nothing", folder.resolve("nothing"));
    } catch (CopyException e) {
      out.println("what is not there: " + e.getClass().getSimpleName());
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
