package dev.clientgo.simulation.internal.traffic;

/**
 * An event of a watch on its way to a process.
 *
 * @param process the process
 * @param resource the resource, with its group
 * @param type the type of the event
 * @param object the namespace and the name of the object
 * @param version the resource version
 * @param owners the names of the owners of the object
 */
public record Delivery(
    Client process,
    String resource,
    String type,
    String object,
    String version,
    java.util.List<String> owners) {

  /** Returns whether the event is about an object. */
  public boolean isChange() {
    return type.equals("ADDED") || type.equals("MODIFIED") || type.equals("DELETED");
  }

  /** Returns {@code TYPE resource namespace/name}. */
  public String describe() {
    return type + " " + resource + " " + object;
  }
}
