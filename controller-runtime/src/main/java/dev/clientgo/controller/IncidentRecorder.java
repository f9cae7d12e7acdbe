package dev.clientgo.controller;

import static java.util.Objects.requireNonNull;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.clock.Interruptible;
import dev.clientgo.controller.internal.incident.IncidentRing;
import dev.clientgo.controller.internal.incident.IncidentWriter;
import dev.clientgo.controller.internal.incident.RecordedReconcile;
import dev.clientgo.controller.internal.incident.RecordingTape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Records in a running program what its reconcilers receive, so that an {@link IncidentReplay} can
 * repeat it: of each reconcile the request, what it read and wrote by its context and was answered,
 * {@link Context#now}, {@link Context#random}, and its end. The last reconciles are kept.
 *
 * <pre>{@code
 * IncidentRecorder recorder =
 *     IncidentRecorder.builder().redact("spec.password").directory(Path.of("/incidents"), 5).build();
 * Manager manager = Manager.builder(client).incidents(recorder).build();
 * }</pre>
 *
 * <p>A file is written by {@link #writeTo}; by {@code GET /debug/incident} at the {@link
 * ManagerBuilder#metricsBindAddress}; and, with a {@link Builder#directory directory}, when the
 * manager fails, such as by a lost lease, and when it ends, as after SIGTERM.
 *
 * <p><b>Memory.</b> The recorder keeps references to objects of the caches, and encodes them only
 * for a file. So the bytes are estimated, and may be wrong by a factor of two. A reconcile of more
 * than a quarter of all bytes, or of more than 20,000 calls, is kept up to there.
 *
 * <p><b>Secrets.</b> In a file, keyed hashes stand for the values of Secrets, of issued tokens and
 * of {@linkplain Builder#redact redacted} fields that reconciles have read or written, and for each
 * copy of a value of four or more characters in any other text. Equal values have equal hashes in
 * all files of a recorder; its key is random and is never written. The heap has all as it is, and
 * values that a program computes of a secret, other than its plain digest, stay as they are.
 *
 * <p><b>Not recorded</b> are threads after the end of their reconcile, events that are written,
 * requests of other clients, time and random numbers from elsewhere, and bodies that are not JSON
 * or longer than 1 MiB. With a recorder, the clients of reconciles ask for JSON, not protobuf.
 *
 * <p>Its failures fail no reconcile; they are logged, and counted in {@link #toString}. Safe for
 * use by many threads.
 */
public final class IncidentRecorder {

  /** The default of {@link Builder#bytes}: 16 MiB. */
  public static final long DEFAULT_BYTES = 16L << 20;

  private static final ThreadFactory THREADS = DaemonThreads.platform("incident-");

  private final IncidentRing ring;
  private final List<String> paths;
  private final @Nullable Path directory;
  private final int mostFiles;
  private final SecretKeySpec key;
  private final ReentrantLock writing = new ReentrantLock();

  private IncidentRecorder(Builder builder) {
    ring = new IncidentRing(builder.bytes);
    paths = List.copyOf(builder.paths);
    directory = builder.directory;
    mostFiles = builder.mostFiles;
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    key = new SecretKeySpec(random, "HmacSHA256");
  }

  /** Returns a recorder with the defaults. */
  public static IncidentRecorder create() {
    return builder().build();
  }

  /** Returns a builder of recorders with other settings. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a reconciler that does the same, and is recorded. */
  Reconciler recorded(Reconciler reconciler) {
    return (request, context) -> {
      RecordingTape tape = begin(request, context);
      Result result = null;
      Throwable error = null;
      try {
        result = reconciler.reconcile(request, tape == null ? context : context.on(tape));
        return result;
      } catch (Throwable e) {
        error = e;
        throw e;
      } finally {
        end(tape, context, String.valueOf(result), error);
      }
    };
  }

  private @Nullable RecordingTape begin(Request request, Context context) {
    try {
      return new RecordingTape(
          new RecordedReconcile.Head(
              context.controller(),
              request.cluster(),
              request.namespace(),
              request.name(),
              context.reconcileId(),
              context.priority(),
              context.failures(),
              now(context)),
          ring);
    } catch (Throwable e) { // Of a clock of the program, or no memory.
      ring.failed("begin a reconcile", e);
      return null;
    }
  }

  private void end(
      @Nullable RecordingTape tape, Context context, String result, @Nullable Throwable error) {
    try {
      if (tape != null) {
        tape.end(now(context), result, error);
      }
    } catch (Throwable e) {
      ring.failed("end a reconcile", e);
    }
  }

  private static Instant now(Context context) {
    return context.client().uncached().clock().now();
  }

  /**
   * Writes a file that only the user of the process can read, and replaces an earlier one of that
   * name. Reconciles continue meanwhile.
   *
   * @throws IOException if it cannot be written; then no part of it is left
   */
  public void writeTo(Path file) throws IOException {
    Path absolute = file.toAbsolutePath();
    Path part = absolute.resolveSibling(absolute.getFileName() + ".part");
    boolean posix = part.getFileSystem().supportedFileAttributeViews().contains("posix");
    FileAttribute<?> own =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    writing.lock();
    try {
      Files.deleteIfExists(part);
      Files.createFile(part, posix ? new FileAttribute<?>[] {own} : new FileAttribute<?>[0]);
      try (OutputStream out =
          Files.newOutputStream(part)) { // Unlike a channel, also if interrupted.
        write(out);
      }
      Files.move(part, absolute, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
      writing.unlock();
    }
  }

  /** Returns the bytes of a file. */
  byte[] toByteArray() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    // One at a time, or several callers would need the memory of several.
    Interruptible.run(writing::lockInterruptibly);
    try {
      write(out);
    } catch (IOException e) {
      throw new IllegalStateException(e); // Memory has no such errors.
    } finally {
      writing.unlock();
    }
    return out.toByteArray();
  }

  private void write(OutputStream out) throws IOException {
    new IncidentWriter(ring, key, paths).write(ring.counts(), out);
  }

  /**
   * Writes a file to the directory, if there is one; a failure is logged and counted. Waits for it
   * that long, also if interrupted, because code of the program, such as a codec, may never return.
   */
  void dump(String reason, Duration timeout) {
    if (directory == null) {
      return;
    }
    boolean interrupted = Thread.interrupted();
    try {
      Thread writer = THREADS.newThread(() -> dump(directory, reason));
      writer.start();
      if (!Clock.system().join(List.of(writer), timeout)) {
        throw new TimeoutException("it takes longer than " + timeout);
      }
    } catch (InterruptedException e) {
      interrupted = true;
    } catch (Throwable e) { // It takes too long, or a thread has no memory.
      ring.failed("write an incident", e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void dump(Path directory, String reason) {
    try {
      Files.createDirectories(directory);
      String time = Clock.system().now().toString().replace(':', '-');
      writeTo(directory.resolve("incident-" + time + "-" + reason + ".bin"));
      try (Stream<Path> all = Files.list(directory)) {
        List<Path> old =
            all.filter(file -> file.getFileName().toString().matches("incident-.*\\.bin(\\.part)?"))
                .sorted(Comparator.reverseOrder())
                .skip(mostFiles)
                .toList();
        for (Path file : old) {
          Files.deleteIfExists(file);
        }
      }
    } catch (Throwable e) { // No memory or no disk: the manager ends nevertheless.
      ring.failed("write an incident", e);
    }
  }

  /** Returns what is kept, and what was missed, in one line. */
  @Override
  public String toString() {
    return "IncidentRecorder" + ring.counts();
  }

  /** Builds an {@link IncidentRecorder}. Not safe for use by many threads. */
  public static final class Builder {

    private final List<String> paths = new ArrayList<>(List.of("status.token", "spec.token"));
    private long bytes = DEFAULT_BYTES;
    private @Nullable Path directory;
    private int mostFiles = 5;

    private Builder() {}

    /**
     * Sets how many bytes of reconciles are kept, about. Default: 16 MiB.
     *
     * @throws IllegalArgumentException if it is less than 64 KiB
     */
    public Builder bytes(long bytes) {
      if (bytes < 1 << 16) {
        throw new IllegalArgumentException("a recorder needs at least 65536 bytes: " + bytes);
      }
      this.bytes = bytes;
      return this;
    }

    /**
     * Adds fields that are secret, with all below them, in objects of any kind and in patches of
     * them: {@code spec.users.password}. A path passes through lists, and may begin anywhere.
     */
    public Builder redact(String... paths) {
      this.paths.addAll(List.of(paths));
      return this;
    }

    /**
     * Writes a file to this directory when the manager fails and when it ends. Default: none.
     *
     * @param most how many files there are at most; the oldest are deleted
     */
    public Builder directory(Path directory, int most) {
      this.directory = requireNonNull(directory, "directory");
      this.mostFiles = Math.max(1, most);
      return this;
    }

    /** Returns the recorder. */
    public IncidentRecorder build() {
      return new IncidentRecorder(this);
    }
  }
}
