package dev.clientgo.examples.website;

import dev.clientgo.apimachinery.meta.Condition;
import dev.clientgo.apimachinery.meta.Conditions;
import dev.clientgo.controller.ChildrenResult;
import dev.clientgo.examples.website.api.web.v1.Website;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.apps.v1.DeploymentStatus;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of a site, as its conditions tell it: nothing here reads a server.
 *
 * @param ready whether all replicas show the pages
 * @param progressing whether they are on their way
 * @param degraded whether something is wrong that the operator, or a person, must mend
 * @param reason why, for programs
 * @param message why, for people
 */
record WebsiteStatus(
    boolean ready, boolean progressing, boolean degraded, String reason, String message) {

  /** Returns the state of a site whose children are as they should be, or are being replaced. */
  static WebsiteStatus of(Optional<Deployment> servers) {
    return servers
        .map(WebsiteStatus::of)
        .orElseGet(
            () ->
                new WebsiteStatus(
                    false, true, false, "Replacing", "the former Deployment is being deleted"));
  }

  private static WebsiteStatus of(Deployment servers) {
    DeploymentStatus status = servers.status();
    int wanted = orZero(servers.spec().replicas());
    for (var condition : status.conditions()) {
      boolean failed = "ReplicaFailure".equals(condition.type()) && isTrue(condition.status());
      boolean late =
          "Progressing".equals(condition.type()) && Conditions.FALSE.equals(condition.status());
      if (failed || late) {
        return failed(
            Objects.requireNonNullElse(condition.reason(), "DeploymentFailed"),
            Objects.requireNonNullElse(condition.message(), "the Deployment has failed"));
      }
    }
    boolean observed =
        orZero(status.observedGeneration()) >= orZero(servers.metadata().generation());
    if (observed
        && orZero(status.updatedReplicas()) >= wanted
        && orZero(status.availableReplicas()) >= wanted) {
      return new WebsiteStatus(
          true, false, false, "AllReplicasAvailable", wanted + " of " + wanted + " available");
    }
    return new WebsiteStatus(
        false,
        true,
        false,
        "RollingOut",
        orZero(status.updatedReplicas()) + " of " + wanted + " replicas have the newest pages");
  }

  /** Returns the state of a site that the operator could not bring about. */
  static WebsiteStatus of(ChildrenResult.Child failed) {
    boolean taken = failed.state() == ChildrenResult.State.NAME_TAKEN;
    return failed(taken ? "NameTaken" : "ServerRefused", failed.toString());
  }

  private static WebsiteStatus failed(String reason, String message) {
    return new WebsiteStatus(false, false, true, reason, message);
  }

  /**
   * Returns a site with this status. The time of a condition changes only with its status.
   *
   * @param generation the generation of the site that this status is about
   */
  Website in(Website site, @Nullable Long generation, String url, int readyReplicas) {
    return site.with(
        w ->
            w.editStatus(
                status ->
                    status
                        .observedGeneration(generation)
                        .url(url)
                        .readyReplicas(readyReplicas)
                        .editConditions("Ready", c -> set(c, ready, generation))
                        .editConditions("Progressing", c -> set(c, progressing, generation))
                        .editConditions("Degraded", c -> set(c, degraded, generation))));
  }

  private void set(Condition.Builder condition, boolean holds, @Nullable Long generation) {
    condition
        .status(holds ? Conditions.TRUE : Conditions.FALSE)
        .observedGeneration(generation)
        .reason(reason)
        .message(message);
  }

  private static boolean isTrue(@Nullable String status) {
    return Conditions.TRUE.equals(status);
  }

  static int orZero(@Nullable Integer number) {
    return number == null ? 0 : number;
  }

  private static long orZero(@Nullable Long number) {
    return number == null ? 0 : number;
  }
}
