package dev.clientgo.remotecommand.internal.forward;

import dev.clientgo.apimachinery.errors.KubernetesException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * How a forwarded connection ended: the pod has ended it, unless there is an error.
 *
 * @param failure why not all bytes of the pod may have arrived
 * @param callerFailure the error of the stream of the caller, which ended the connection
 */
public record ForwardEnd(
    @Nullable KubernetesException failure, @Nullable IOException callerFailure) {

  static final ForwardEnd BY_THE_POD = new ForwardEnd(null, null);

  static ForwardEnd failed(KubernetesException failure) {
    return new ForwardEnd(failure, null);
  }

  static ForwardEnd failedAtCaller(IOException failure) {
    return new ForwardEnd(null, failure);
  }

  /** Returns the error; null if the pod has ended the connection. */
  public @Nullable Exception error() {
    return failure != null ? failure : callerFailure;
  }
}
