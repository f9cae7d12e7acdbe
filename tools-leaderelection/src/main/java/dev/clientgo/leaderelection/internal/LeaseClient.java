package dev.clientgo.leaderelection.internal;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.Preconditions;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.leaderelection.internal.LeaseRequest.Answer;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RequestRateLimiter;
import dev.clientgo.rest.config.RestConfig;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the Leases of a namespace. Safe for use by many threads.
 *
 * <p>It uses its own connections: neither the rate limiter of the program nor its traffic may delay
 * a renewal. These are HTTP/1.1, so that a request that times out takes its connection with it, and
 * the next one does not wait on the same broken connection.
 */
public final class LeaseClient implements AutoCloseable {

  private final RESTClient program;
  private final String userAgent;
  private final LeaseTimings timings;
  private final String namespace;

  /** Null until a request needs it: a certificate file that is not there fails that request. */
  private final AtomicReference<@Nullable RESTClient> own = new AtomicReference<>();

  private volatile boolean closed;

  /**
   * Creates an instance that has read no file.
   *
   * @param program the client of the program, whose server and options the requests use
   */
  public LeaseClient(RESTClient program, String userAgent, LeaseTimings timings, String namespace) {
    this.program = program;
    this.userAgent = userAgent;
    this.timings = timings;
    this.namespace = namespace;
  }

  /**
   * Sends a request; an error is an answer too.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public Answer send(LeaseRequest request) throws InterruptedException {
    try {
      ResourceClient<Lease> leases = leases();
      if (request instanceof LeaseRequest.Create create) {
        return new Answer.Found(leases.create(create.lease()));
      }
      if (request instanceof LeaseRequest.Update update) {
        return new Answer.Found(leases.update(update.lease()));
      }
      if (request instanceof LeaseRequest.Delete delete) {
        delete(leases, delete.lease().metadata());
        return new Answer.Deleted();
      }
      Optional<Lease> found = leases.find(((LeaseRequest.Get) request).name());
      return found.isPresent() ? new Answer.Found(found.get()) : new Answer.NotFound();
    } catch (ApiStatusException e) {
      if (e.isConflict() || e.isAlreadyExists()) {
        return new Answer.Conflict();
      }
      // The namespace or the resource may be missing too, which only an error can tell.
      boolean gone = e.isNotFound() && !(request instanceof LeaseRequest.Create);
      return gone ? new Answer.NotFound() : new Answer.Failed(e);
    } catch (RuntimeException | Error e) { // An Error of an interceptor of the user, too.
      return new Answer.Failed(e);
    }
  }

  private static void delete(ResourceClient<Lease> leases, ObjectMeta lease)
      throws InterruptedException {
    Preconditions unchanged = new Preconditions(lease.uid(), lease.resourceVersion());
    leases.delete(
        requireNonNull(lease.name(), "name"),
        DeleteOptions.builder().preconditions(unchanged).build());
  }

  /** Returns the Leases. Holds no lock, because reading a file can take any time. */
  private ResourceClient<Lease> leases() {
    RESTClient client = own.get();
    if (client == null) {
      client = create();
      RESTClient first = own.compareAndExchange(null, client);
      if (first != null) {
        client.close();
        client = first;
      }
      if (closed) {
        client.close();
      }
    }
    return client.resource(Lease.TYPE).inNamespace(namespace);
  }

  private RESTClient create() {
    RestConfig config =
        program.config().toBuilder()
            .addUserAgent(userAgent)
            .disableHttp2(true)
            .timeout(timings.requestTimeout())
            .build();
    return program.toBuilder(config).rateLimiter(RequestRateLimiter.UNLIMITED).build();
  }

  @Override
  public void close() {
    closed = true;
    RESTClient client = own.get();
    if (client != null) {
      client.close();
    }
  }
}
