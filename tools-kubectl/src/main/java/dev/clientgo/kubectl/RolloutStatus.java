package dev.clientgo.kubectl;

import static java.util.Objects.requireNonNull;

/**
 * How far a rollout has come.
 *
 * <pre>{@code
 * RolloutStatus status = Rollout.status(Deployment.TYPE, deployment);
 * }</pre>
 *
 * @param done whether it has succeeded
 * @param failed whether it has failed
 * @param message what there is to tell, as kubectl does
 */
public record RolloutStatus(boolean done, boolean failed, String message) {

  public RolloutStatus {
    requireNonNull(message, "message");
    if (done && failed) {
      throw new IllegalArgumentException("a rollout cannot both succeed and fail");
    }
  }

  static RolloutStatus complete(String message) {
    return new RolloutStatus(true, false, message);
  }

  static RolloutStatus failure(String message) {
    return new RolloutStatus(false, true, message);
  }

  static RolloutStatus waiting(String message) {
    return new RolloutStatus(false, false, message);
  }
}
