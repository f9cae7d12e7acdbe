package dev.clientgo.leaderelection.internal;

import dev.clientgo.kubernetes.coordination.v1.Lease;

/** A request about a Lease. */
public sealed interface LeaseRequest {

  /** Create a Lease. */
  record Create(Lease lease) implements LeaseRequest {}

  /** Replace a Lease, unless it has changed since this resourceVersion. */
  record Update(Lease lease) implements LeaseRequest {}

  /** Read a Lease as it is now, not from a cache of the server. */
  record Get(String name) implements LeaseRequest {}

  /** Delete a Lease, unless it has changed since this uid and resourceVersion. */
  record Delete(Lease lease) implements LeaseRequest {}

  /** The answer to a request. */
  sealed interface Answer {

    /** The Lease as read or written. */
    record Found(Lease lease) implements Answer {}

    /** The Lease is deleted. */
    record Deleted() implements Answer {}

    /** There is no such Lease. */
    record NotFound() implements Answer {}

    /** The Lease has changed meanwhile, or exists already. */
    record Conflict() implements Answer {}

    /** Any other error. The server may have acted on the request. */
    record Failed(Throwable error) implements Answer {}
  }
}
