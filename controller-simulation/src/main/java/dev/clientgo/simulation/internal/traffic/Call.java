package dev.clientgo.simulation.internal.traffic;

import dev.clientgo.envtest.traffic.ApiRequest;

/**
 * A request of a process to the server.
 *
 * @param process the process
 * @param request the request
 */
public record Call(Client process, ApiRequest request) {

  /** Returns whether the request changes an object. */
  public boolean isWrite() {
    return switch (request.verb()) {
      case "create", "update", "patch", "delete", "deletecollection" -> true;
      default -> false;
    };
  }

  /** Returns whether the request opens a watch. */
  public boolean isWatch() {
    return request.verb().equals("watch");
  }

  /** Returns whether the request is about a lease. */
  public boolean isOfLease() {
    return request.resource().equals("leases");
  }

  /** Returns {@code verb resource namespace/name}. */
  public String describe() {
    String resource =
        request.resource() + (request.subresource().isEmpty() ? "" : "/" + request.subresource());
    return (request.verb() + " " + resource + " " + object()).trim();
  }

  /** Returns the resource with its group, which is what an object is counted by. */
  public String resource() {
    return resource(request.resource(), request.group());
  }

  /** Returns a resource with its group. */
  public static String resource(String resource, String group) {
    return group.isEmpty() ? resource : resource + "." + group;
  }

  /** Returns the namespace and the name, as far as the path has them. */
  public String object() {
    return request.namespace().isEmpty() || request.name().isEmpty()
        ? request.namespace() + request.name()
        : request.namespace() + "/" + request.name();
  }
}
