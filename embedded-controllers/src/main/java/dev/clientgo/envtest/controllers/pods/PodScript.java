package dev.clientgo.envtest.controllers.pods;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Defines how each pod of an embedded server runs. It takes the place of images.
 *
 * <pre>{@code
 * PodScript script =
 *     PodScript.builder()
 *         .image("shop:broken", PodLife.exits(1))
 *         .pods("app=slow", PodLife.runs().readyAfter(Duration.ofSeconds(30)))
 *         .build();
 * }</pre>
 *
 * <p>The first rule that matches a pod counts. Without one, the pod of a Job {@linkplain
 * PodLife#exits ends at once with code 0}, and any other {@linkplain PodLife#runs runs}, ready at
 * once.
 *
 * <p>Immutable, and safe for use by many threads if the caller's own functions are.
 */
public final class PodScript {

  private record Rule(Predicate<? super Pod> matches, Function<? super Pod, PodLife> life) {}

  private final List<Rule> rules;

  private PodScript(List<Rule> rules) {
    this.rules = List.copyOf(rules);
  }

  /** Returns the script without rules: pods run, and those of Jobs succeed. */
  public static PodScript standard() {
    return builder().build();
  }

  /**
   * Returns a script of the caller's own. It is asked once for each pod, when the pod is first
   * seen, so it may count: "the first pod fails".
   */
  public static PodScript of(Function<? super Pod, PodLife> lives) {
    return new PodScript(List.of(new Rule(pod -> true, requireNonNull(lives, "lives"))));
  }

  /** Returns a builder without rules. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns how a pod runs. */
  public PodLife lifeOf(Pod pod) {
    for (Rule rule : rules) {
      if (rule.matches().test(pod)) {
        return requireNonNull(rule.life().apply(pod), "the script returned null for a pod");
      }
    }
    boolean ofJob =
        pod.metadata().controller().filter(owner -> "Job".equals(owner.kind())).isPresent();
    return ofJob ? PodLife.exits(0) : PodLife.runs();
  }

  /** Builds a {@link PodScript}. Not safe for use by many threads. */
  public static final class Builder {

    private final List<Rule> rules = new ArrayList<>();

    private Builder() {}

    /**
     * Adds a rule for the pods with these labels.
     *
     * @param labels a label selector such as {@code app=web,tier!=cache}
     */
    public Builder pods(String labels, PodLife life) {
      Selector selector = Selector.parse(labels);
      return when(pod -> selector.matches(pod.metadata().labels()), life);
    }

    /** Adds a rule for the pods of which a container has exactly this image. */
    public Builder image(String image, PodLife life) {
      requireNonNull(image, "image");
      return when(pod -> hasImage(pod, image), life);
    }

    private static boolean hasImage(Pod pod, String image) {
      return pod.spec().containers().stream()
          .anyMatch(container -> image.equals(container.image()));
    }

    /** Adds a rule for the pods that meet a condition, which is asked once for each pod. */
    public Builder when(Predicate<? super Pod> condition, PodLife life) {
      requireNonNull(life, "life");
      rules.add(new Rule(requireNonNull(condition, "condition"), pod -> life));
      return this;
    }

    /** Returns the script. */
    public PodScript build() {
      return new PodScript(rules);
    }
  }
}
