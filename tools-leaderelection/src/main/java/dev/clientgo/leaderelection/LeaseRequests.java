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
 * Sends the requests of an election to the server, over its own connections. Safe for use by many
 * threads.
 */
final class LeaseRequests implements AutoCloseable {

  private final LeaseClient client;
  private final String lease;

  LeaseRequests(RESTClient program, ElectionSettings settings) {
    LeaseLock lock = settings.lock();
    client = new LeaseClient(program, "leader-election", settings.timings(), lock.namespace());
    lease = lock.name();
  }

  /**
   * Sends a request; an error is an answer too.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  Answer send(Request request) throws InterruptedException {
    try {
      ResourceClient<Lease> leases = client.leases();
      if (request instanceof Request.Create create) {
        return new Answer.Found(leases.create(create.lease()));
      }
      if (request instanceof Request.Update update) {
        return new Answer.Found(leases.update(update.lease()));
      }
      Optional<Lease> found = leases.find(lease);
      return found.isPresent() ? new Answer.Found(found.get()) : new Answer.NotFound();
    } catch (ApiStatusException e) {
      return e.isConflict() ? new Answer.Conflict() : new Answer.Failed(e);
    } catch (RuntimeException | Error e) {
      return new Answer.Failed(e); // An Error too, such as one of an interceptor.
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
