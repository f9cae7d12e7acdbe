package dev.clientgo.remotecommand;

import dev.clientgo.apimachinery.errors.KubernetesException;

/** A command in a pod wrote more output than its caller would hold in memory. */
public final class OutputLimitException extends KubernetesException {

  private static final long serialVersionUID = 1;

  OutputLimitException(String command, int limit) {
    super(
        command
            + ": the output is longer than "
            + limit
            + " bytes; pass streams for it, or set withOutputLimit",
        null);
  }
}
