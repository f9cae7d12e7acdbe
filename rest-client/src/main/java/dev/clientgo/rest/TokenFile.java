package dev.clientgo.rest;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.clock.Clock;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A token in a file that somebody keeps fresh, as the kubelet does for pods. It is read again when
 * it is almost a minute old, or refused; a file that cannot be read leaves the last good token.
 *
 * <p>Corresponds to client-go's {@code transport.NewCachedFileTokenSource}.
 */
final class TokenFile implements Credentials {

  private static final Logger LOG = System.getLogger(TokenFile.class.getName());

  /** One minute less a leeway of ten seconds, as upstream. */
  private static final Duration FRESH = Duration.ofSeconds(50);

  private final ReentrantLock lock = new ReentrantLock();
  private final Path file;
  private final Clock clock;

  /** The last good token, to begin with the one that was configured beside the file. */
  @GuardedBy("lock")
  private @Nullable String token;

  @GuardedBy("lock")
  private boolean fresh;

  @GuardedBy("lock")
  private long readAt;

  TokenFile(Path file, @Nullable String token, Clock clock) {
    this.file = file;
    this.token = token;
    this.clock = clock;
  }

  @Override
  public Credential current() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      if (token != null && fresh && clock.nanoTime() - readAt < FRESH.toNanos()) {
        return Credential.bearer(token);
      }
      return Credential.bearer(readLocked());
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private String readLocked() {
    try {
      String read = Files.readString(file).strip();
      if (read.isEmpty() || !HeaderValues.isValid(read)) {
        throw new IOException(read.isEmpty() ? "it is empty" : "it holds more than one line");
      }
      token = read;
      fresh = true;
      readAt = clock.nanoTime();
      return read;
    } catch (IOException e) {
      if (token == null) {
        throw new ConfigException(
            "cannot read the bearer token file " + file + ": " + e.getMessage(), e);
      }
      LOG.log(Level.WARNING, "cannot read token file, using the last token: file=" + file, e);
      return token;
    }
  }

  @Override
  public String describe() {
    return "the bearer token of file " + file;
  }

  @Override
  public void refused(Credential credential) {
    lock.lock();
    try {
      // Only the token that was refused is stale: another thread may have read a newer one since.
      if (token != null && "Bearer ".concat(token).equals(credential.authorization())) {
        fresh = false;
      }
    } finally {
      lock.unlock();
    }
  }
}
