package dev.clientgo.leaderelection;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.leaderelection.Step.Answer;
import dev.clientgo.leaderelection.Step.Request;
import dev.clientgo.leaderelection.internal.LeaseClient;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.util.Optional;

/**
 * Sends the requests of an election to the server, over connections of its own. Safe for use by
 * many threads.
 */
final class LeaseRequests implements AutoCloseable {

  private final RESTClient client;
  private final ResourceClient<Lease> leases;
  private final String name;

  private LeaseRequests(RESTClient client, LeaseLock lock) {
    this.client = client;
    this.leases = client.resource(Lease.TYPE).inNamespace(lock.namespace());
    this.name = lock.name();
  }

  /** Returns the requests to the server of a client, with a timeout fit for an election. */
  static LeaseRequests create(RESTClient client, ElectionSettings settings) {
    return new LeaseRequests(
        LeaseClient.of(client, "leader-election", settings.timings()), settings.lock());
  }

  /**
   * Sends a request; an error is an answer too.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  Answer send(Request request) throws InterruptedException {
    try {
      if (request instanceof Request.Create create) {
        return new Answer.Found(leases.create(create.lease()));
      }
      if (request instanceof Request.Update update) {
        return new Answer.Found(leases.update(update.lease()));
      }
      Optional<Lease> found = leases.find(name);
      return found.isPresent() ? new Answer.Found(found.get()) : new Answer.NotFound();
    } catch (ApiStatusException e) {
      return e.isConflict() ? new Answer.Conflict() : new Answer.Failed(e);
    } catch (RuntimeException e) {
      return new Answer.Failed(e);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
