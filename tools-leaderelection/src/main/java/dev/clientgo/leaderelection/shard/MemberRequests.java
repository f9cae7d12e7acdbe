package dev.clientgo.leaderelection.shard;

import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.Preconditions;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.leaderelection.internal.LeaseClient;
import dev.clientgo.leaderelection.shard.MemberRequest.Answer;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.util.Objects;
import java.util.Optional;

/**
 * Sends the requests of a member to the server, over its own connections. Safe for use by many
 * threads.
 */
final class MemberRequests implements AutoCloseable {

  private final LeaseClient client;

  MemberRequests(RESTClient program, ShardSettings settings) {
    String namespace = settings.group().namespace();
    client = new LeaseClient(program, "shard-group", settings.timings(), namespace);
  }

  /**
   * Sends a request; an error is an answer too.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  Answer send(MemberRequest request) throws InterruptedException {
    try {
      ResourceClient<Lease> leases = client.leases();
      if (request instanceof MemberRequest.Create create) {
        return new Answer.Found(leases.create(create.lease()));
      }
      if (request instanceof MemberRequest.Update update) {
        return new Answer.Found(leases.update(update.lease()));
      }
      if (request instanceof MemberRequest.Delete delete) {
        delete(leases, delete.lease());
        return new Answer.Deleted();
      }
      Optional<Lease> found = leases.find(((MemberRequest.Get) request).name());
      return found.isPresent() ? new Answer.Found(found.get()) : new Answer.NotFound();
    } catch (ApiStatusException e) {
      if (e.isConflict() || e.isAlreadyExists()) {
        return new Answer.Conflict();
      }
      // The namespace or the resource may be missing too, which only an error can tell.
      boolean gone = e.isNotFound() && !(request instanceof MemberRequest.Create);
      return gone ? new Answer.NotFound() : new Answer.Failed(e);
    } catch (RuntimeException | Error e) { // An Error of an interceptor of the user, too.
      return new Answer.Failed(e);
    }
  }

  private static void delete(ResourceClient<Lease> leases, Lease lease)
      throws InterruptedException {
    leases.delete(
        Objects.requireNonNull(lease.metadata().name(), "name"),
        DeleteOptions.builder()
            .preconditions(
                new Preconditions(lease.metadata().uid(), lease.metadata().resourceVersion()))
            .build());
  }

  @Override
  public void close() {
    client.close();
  }
}
