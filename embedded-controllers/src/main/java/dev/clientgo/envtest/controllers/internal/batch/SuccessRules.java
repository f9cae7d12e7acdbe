package dev.clientgo.envtest.controllers.internal.batch;

import dev.clientgo.kubernetes.batch.v1.Job;
import dev.clientgo.kubernetes.batch.v1.SuccessPolicy;
import dev.clientgo.kubernetes.batch.v1.SuccessPolicyRule;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * The success policy of an Indexed Job: whether the indexes that have succeeded are enough.
 *
 * <p>Corresponds to {@code pkg/controller/job/success_policy.go}.
 */
final class SuccessRules {

  private SuccessRules() {}

  /** Returns which rule the indexes meet, as the message of a condition; empty for none. */
  static Optional<String> match(Job job, BitSet succeeded) {
    List<SuccessPolicyRule> rules =
        job.spec().findSuccessPolicy().map(SuccessPolicy::rules).orElse(List.of());
    for (int index = 0; index < rules.size(); index++) {
      if (isMet(rules.get(index), succeeded)) {
        return Optional.of("Matched rules at index " + index);
      }
    }
    return Optional.empty();
  }

  private static boolean isMet(SuccessPolicyRule rule, BitSet succeeded) {
    Integer count = rule.succeededCount();
    if (rule.succeededIndexes() == null) {
      return count != null && succeeded.cardinality() >= count;
    }
    BitSet wanted = CompletionIndexes.parse(rule.succeededIndexes());
    BitSet met = (BitSet) wanted.clone();
    met.and(succeeded);
    return met.cardinality() >= (count == null ? wanted.cardinality() : count);
  }
}
