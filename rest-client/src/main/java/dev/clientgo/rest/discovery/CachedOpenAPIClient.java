package dev.clientgo.rest.discovery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.KubernetesException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reads each document once, and keeps the result or the error in memory.
 *
 * <p>Corresponds to client-go's {@code openapi/cached.Client}.
 */
final class CachedOpenAPIClient implements OpenAPIClient {

  private final Once<Map<String, OpenAPIGroupVersion>> paths;

  CachedOpenAPIClient(OpenAPIClient delegate) {
    paths =
        new Once<>(
            () -> {
              Map<String, OpenAPIGroupVersion> cached = new TreeMap<>();
              delegate.paths().forEach((path, document) -> cached.put(path, new Cached(document)));
              return Collections.unmodifiableMap(cached);
            });
  }

  @Override
  public Map<String, OpenAPIGroupVersion> paths() throws InterruptedException {
    return paths.get();
  }

  @Override
  public OpenAPIClient cached() {
    return this;
  }

  private static final class Cached implements OpenAPIGroupVersion {
    private final ReentrantLock lock = new ReentrantLock();
    private final OpenAPIGroupVersion delegate;

    @GuardedBy("lock")
    private final Map<String, Once<byte[]>> schemas = new HashMap<>();

    Cached(OpenAPIGroupVersion delegate) {
      this.delegate = delegate;
    }

    @Override
    public String serverRelativeURL() {
      return delegate.serverRelativeURL();
    }

    @Override
    public byte[] schema(String contentType) throws InterruptedException {
      return once(contentType).get().clone();
    }

    private Once<byte[]> once(String contentType) {
      lock.lock();
      try {
        return schemas.computeIfAbsent(
            contentType, type -> new Once<>(() -> delegate.schema(type)));
      } finally {
        lock.unlock();
      }
    }
  }

  /** A request. */
  @FunctionalInterface
  private interface Question<T> {
    T ask() throws InterruptedException;
  }

  /** A result that is requested on first use and kept; an interruption is not kept. */
  private static final class Once<T> {
    private final ReentrantLock lock = new ReentrantLock();
    private final Question<T> question;

    @GuardedBy("lock")
    private @Nullable T answer;

    @GuardedBy("lock")
    private @Nullable KubernetesException failure;

    Once(Question<T> question) {
      this.question = question;
    }

    T get() throws InterruptedException {
      lock.lockInterruptibly();
      try {
        if (failure != null) {
          throw failure;
        }
        T known = answer;
        if (known == null) {
          known = question.ask();
          answer = known;
        }
        return known;
      } catch (KubernetesException e) {
        failure = e;
        throw e;
      } finally {
        lock.unlock();
      }
    }
  }
}
