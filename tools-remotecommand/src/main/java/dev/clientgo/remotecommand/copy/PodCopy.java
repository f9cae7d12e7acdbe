package dev.clientgo.remotecommand.copy;

import static java.util.Objects.requireNonNull;

import dev.clientgo.clock.Clock;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Copies files and directory trees to and from a container, as {@code kubectl cp}.
 *
 * <pre>{@code
 * PodCopy copy = PodCopy.of(client, "shop", "web-0").inContainer("web").withRetries(10);
 * copy.upload(Path.of("site"), "/usr/share/nginx/html");
 * copy.download("/var/log/nginx", Path.of("logs"));
 * }</pre>
 *
 * <p>The container needs {@code tar}, and {@code sh} and {@code head} for an upload. With {@link
 * #withRetries} a download also needs {@code sh}, {@code head} and {@code tail}, and an upload of a
 * file of more than 32 MiB needs {@code dd}, {@code chmod}, {@code touch} and {@code mv}.
 *
 * <p>Permissions and times are kept, times to the second; owners are not: files belong to the user
 * of the container or of this program. Hard links are kept in downloads, and become files of their
 * own in uploads. A download never writes outside of its destination, whatever the container sends.
 * Memory is bounded, and each side waits for the other.
 *
 * <p>The methods {@code with…} and {@code on…} return a changed copy. Immutable. Safe for use by
 * many threads, and for any number of copies.
 */
public final class PodCopy {

  private final CopySettings settings;

  private PodCopy(CopySettings settings) {
    this.settings = settings;
  }

  /** Returns copies to and from the only container of a pod. */
  public static PodCopy of(RESTClient client, String namespace, String pod) {
    requireNonNull(client, "client");
    requireNonNull(namespace, "namespace");
    return new PodCopy(new CopySettings(client, namespace, requireNonNull(pod, "pod")));
  }

  private PodCopy with(Consumer<CopySettings> change) {
    return new PodCopy(settings.with(change));
  }

  /** Chooses the container. */
  public PodCopy inContainer(String name) {
    requireNonNull(name, "name");
    return with(changed -> changed.container = name);
  }

  /** Decides about symbolic links; {@link SymbolicLinks#KEEP} by default. */
  public PodCopy withLinks(SymbolicLinks links) {
    requireNonNull(links, "links");
    return with(changed -> changed.links = links);
  }

  /**
   * Resumes after a cut: in the middle of a file in a download, after the last 32 MiB at most in an
   * upload. If the tree has changed during the cut of a download, it starts again. Between attempts
   * are pauses from 100 ms up to 5 s. By default a cut ends the copy.
   *
   * @param retries how many attempts in a row may bring nothing new
   * @throws IllegalArgumentException if the number is negative
   */
  public PodCopy withRetries(int retries) {
    if (retries < 0) {
      throw new IllegalArgumentException("the number of retries is negative: " + retries);
    }
    return with(changed -> changed.retries = retries);
  }

  /** Keeps neither permissions nor times, for users who may not set them. */
  public PodCopy withoutModesAndTimes() {
    return with(changed -> changed.keepsAttributes = false);
  }

  /**
   * Reports the progress after each piece of a file, in the thread that copies. A piece has at most
   * 64 KiB. An exception of the listener ends the copy.
   */
  public PodCopy onProgress(Consumer<? super CopyProgress> listener) {
    requireNonNull(listener, "listener");
    return with(changed -> changed.listener = listener);
  }

  PodCopy withClock(Clock clock) {
    return with(changed -> changed.clock = clock);
  }

  /**
   * Copies a file or a directory into the container.
   *
   * <p>If the destination is a directory, the copy gets the name of the source in it. Otherwise the
   * destination is the name of the copy, and its parent must exist. If the source ends with {@code
   * /.}, its content is copied into the destination, which must be a directory.
   *
   * @throws IOException if a local file cannot be read
   * @throws CopyException if a command in the container fails, or a link leads out of the source
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if the server refuses the request
   * @throws dev.clientgo.apimachinery.errors.TransportException if the connection broke
   * @throws InterruptedException if the thread is interrupted; the copy then ends
   */
  public CopyResult upload(Path source, String destination)
      throws IOException, InterruptedException {
    return new Upload(settings, source, destination).run();
  }

  /**
   * Copies a file or a directory out of the container.
   *
   * <p>The destination is the name of the copy. If it is a directory already, the content of a
   * directory is copied into it, and a file gets its own name in it. Files that exist are replaced
   * when their successor is complete. If the copy fails, complete files stay.
   *
   * @param source a path; if it is not absolute, it begins at the working directory of the
   *     container
   * @throws IOException if a local file cannot be written
   * @throws CopyException if {@code tar} fails in the container, or a path or a link of its archive
   *     leads out of the destination
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if the server refuses the request
   * @throws dev.clientgo.apimachinery.errors.TransportException if the connection broke
   * @throws InterruptedException if the thread is interrupted; the copy then ends
   */
  public CopyResult download(String source, Path destination)
      throws IOException, InterruptedException {
    return new Download(settings, source, destination).run();
  }

  /** Returns the pod. */
  @Override
  public String toString() {
    return settings.toString();
  }
}
