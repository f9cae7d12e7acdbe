package dev.clientgo.rest.internal.auth;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.clock.Clock;
import dev.clientgo.rest.internal.text.HeaderValues;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A token in a file that is rotated, as the kubelet does for pods. It is read again after 50
 * seconds and after the server has rejected it. If the file cannot be read, the last valid token is
 * used.
 *
 * <p>Corresponds to client-go's {@code transport.NewCachedFileTokenSource}.
 */
public final class TokenFile implements Credentials {

  private static final Logger LOG = System.getLogger(TokenFile.class.getName());

  /** One minute less a leeway of ten seconds, as in client-go. */
  private static final Duration FRESH = Duration.ofSeconds(50);

  private final ReentrantLock lock = new ReentrantLock();
  private final Path file;
  private final Clock clock;

  /** The last valid token; first the one that was configured with the file. */
  @GuardedBy("lock")
  private @Nullable String token;

  @GuardedBy("lock")
  private boolean fresh;

  @GuardedBy("lock")
  private long readAt;

  public TokenFile(Path file, @Nullable String token, Clock clock) {
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
        throw new IOException(read.isEmpty() ? "it is empty" : "it has more than one line");
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
      // Only the rejected token is stale; another thread may have read a newer one since.
      if (token != null && "Bearer ".concat(token).equals(credential.authorization())) {
        fresh = false;
      }
    } finally {
      lock.unlock();
    }
  }
}
