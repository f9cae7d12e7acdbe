package dev.clientgo.rest.internal.auth;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.rest.config.TokenSource;
import dev.clientgo.rest.internal.text.ConfigFile;
import dev.clientgo.rest.internal.text.HeaderValues;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/*
 * Lock. A thread holds it while it calls the source, on purpose: other threads wait for the result,
 * and can be interrupted. A thread that has waited for a call takes its result, good or bad;
 * otherwise five hundred watches would wait for a broken source one after the other.
 */

/**
 * The token of a source that rotates it: a file, as the kubelet writes it for pods, or a function
 * of the program. The source is called again after 50 seconds and after the server has rejected the
 * token. If it fails, the last valid token is used.
 *
 * <p>Corresponds to client-go's {@code transport.cachingTokenSource}.
 */
public final class CachedToken implements Credentials {

  private static final Logger LOG = System.getLogger(CachedToken.class.getName());

  /** One minute less a leeway of ten seconds, as in client-go. */
  private static final Duration FRESH = Duration.ofSeconds(50);

  private final ReentrantLock lock = new ReentrantLock();
  private final TokenSource source;
  private final String description;
  private final String failed;
  private final Clock clock;

  /** The number of calls of the source. */
  private final AtomicInteger calls = new AtomicInteger();

  /** The last valid token; first the one that was configured with the source. */
  @GuardedBy("lock")
  private @Nullable String token;

  @GuardedBy("lock")
  private boolean fresh;

  @GuardedBy("lock")
  private long readAt;

  @GuardedBy("lock")
  private @Nullable ConfigException failure;

  private CachedToken(
      TokenSource source, String description, String failed, @Nullable String token, Clock clock) {
    this.source = source;
    this.description = description;
    this.failed = failed;
    this.token = token;
    this.clock = clock;
  }

  /**
   * Returns the token of a file.
   *
   * @param token the token until the file can be read, null for none
   */
  public static CachedToken ofFile(Path file, @Nullable String token, Clock clock) {
    return new CachedToken(
        () -> ConfigFile.readToken(file),
        "the bearer token of file " + file,
        "cannot read the bearer token file " + file,
        token,
        clock);
  }

  /**
   * Returns the token of a source.
   *
   * @param origin where it is configured, as a suffix
   */
  public static CachedToken of(TokenSource source, String origin, Clock clock) {
    return new CachedToken(
        source,
        "the bearer token of the token source" + origin,
        "cannot get a bearer token from the token source" + origin,
        null,
        clock);
  }

  @Override
  public Credential current() throws InterruptedException {
    if (lock.isHeldByCurrentThread()) {
      throw new ConfigException(
          failed + ": it sends a request that needs the token: give it a separate client");
    }
    int before = calls.get();
    lock.lockInterruptibly();
    try {
      boolean hasWaited = calls.get() != before;
      if (token != null && (hasWaited || isFreshLocked())) {
        return Credential.bearer(token);
      }
      if (hasWaited && failure != null) {
        throw new ConfigException(String.valueOf(failure.getMessage()), failure);
      }
      return Credential.bearer(callLocked());
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private boolean isFreshLocked() {
    return fresh && clock.nanoTime() - readAt < FRESH.toNanos();
  }

  @GuardedBy("lock")
  private String callLocked() throws InterruptedException {
    try {
      String read = valid(source.token());
      token = read;
      fresh = true;
      readAt = clock.nanoTime();
      calls.incrementAndGet();
      return read;
    } catch (InterruptedException e) {
      throw e;
    } catch (Throwable e) { // An Error too, which each of the waiting threads would meet again.
      calls.incrementAndGet();
      Throwable cause = CrashLog.printable(e);
      if (token == null) {
        failure = new ConfigException(failed + ": " + reason(cause), cause);
        throw failure;
      }
      CrashLog.log(LOG, Level.WARNING, failed + ", using the last token", cause);
      return token;
    }
  }

  /** A function of the program may return null, whatever its type says. */
  private static String valid(@Nullable String answer) throws IOException {
    String read = answer == null ? "" : answer.strip();
    if (read.isEmpty() || !HeaderValues.isValid(read)) {
      throw new IOException(read.isEmpty() ? "it is empty" : "it has more than one line");
    }
    return read;
  }

  private static String reason(Throwable e) {
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }

  @Override
  public String describe() {
    return description;
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
