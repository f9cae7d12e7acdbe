package dev.clientgo.controller.internal.debug;

import dev.clientgo.apimachinery.meta.ObjectName;

/** A request of one controller. */
public record RequestKey(String controller, ObjectName request) {

  /** Spreads requests only: most programs have few controllers. */
  @Override
  public int hashCode() {
    return 31 * request.name().hashCode() + request.namespace().hashCode();
  }
}
