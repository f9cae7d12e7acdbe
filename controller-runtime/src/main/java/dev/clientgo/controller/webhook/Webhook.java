package dev.clientgo.controller.webhook;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.LabelSelector;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.StatusReason;
import dev.clientgo.controller.webhook.AdmissionRequest.Operation;
import dev.clientgo.kubernetes.admissionregistration.v1.FailurePolicyType;
import dev.clientgo.kubernetes.admissionregistration.v1.MatchCondition;
import dev.clientgo.kubernetes.admissionregistration.v1.MatchPolicyType;
import dev.clientgo.kubernetes.admissionregistration.v1.MutatingWebhook;
import dev.clientgo.kubernetes.admissionregistration.v1.OperationType;
import dev.clientgo.kubernetes.admissionregistration.v1.ReinvocationPolicyType;
import dev.clientgo.kubernetes.admissionregistration.v1.RuleWithOperations;
import dev.clientgo.kubernetes.admissionregistration.v1.SideEffectClass;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A webhook for admission: the function that answers requests, its path, and the requests for which
 * a server calls it.
 *
 * <pre>{@code
 * Webhook.validating(Foo.TYPE, (foo, request) -> AdmissionResponse.allow())
 *     .operations(Operation.CREATE, Operation.UPDATE, Operation.DELETE)
 *     .resources("foos", "foos/status");
 * }</pre>
 *
 * <p>Immutable: each method returns a changed copy. The defaults are those of a server or of
 * kubebuilder: creations and updates of the resource itself, a request fails if the webhook cannot
 * be reached, no side effects, 10 seconds.
 *
 * <p>Corresponds to controller-runtime's {@code builder.WebhookBuilder} and to kubebuilder's marker
 * {@code webhook}.
 */
public final class Webhook {

  /** The kinds of webhooks; a request passes all mutating ones before the validating ones. */
  enum Phase {
    MUTATE,
    VALIDATE
  }

  private final Phase phase;
  private final GroupVersionKind kind;
  private final Call call;
  private final String path;

  /** The registration on a server, with one rule, but without the place of this webhook. */
  private final MutatingWebhook registration;

  /** Reads the objects of a request and answers it. */
  @FunctionalInterface
  private interface Call {
    AdmissionResponse answer(ReviewRequest request) throws Exception;
  }

  private Webhook(
      Phase phase, GroupVersionKind kind, Call call, String path, MutatingWebhook registration) {
    this.phase = phase;
    this.kind = kind;
    this.call = call;
    this.path = path;
    this.registration = registration;
  }

  /**
   * Returns a webhook that changes objects, at the path {@code /mutate-GROUP-VERSION-KIND} in lower
   * case, with dashes instead of dots.
   */
  public static <T extends KubernetesObject> Webhook mutating(
      ResourceType<T> type, Mutator<T> mutator) {
    requireNonNull(mutator, "mutator");
    return mutating(
        type,
        request -> {
          if (request.operation() == Operation.DELETE) {
            return AdmissionResponse.allow();
          }
          T object = request.object().orElseThrow(() -> withoutObject(request));
          return request.changeTo(
              requireNonNull(
                  mutator.mutate(object, request),
                  "the mutator returned null: return the object if nothing changes"));
        });
  }

  /** Returns a webhook that may change objects, at the same path as that of a {@link Mutator}. */
  public static <T extends KubernetesObject> Webhook mutating(
      ResourceType<T> type, AdmissionHandler<T> handler) {
    return of(Phase.MUTATE, type, requireNonNull(handler, "handler"));
  }

  /**
   * Returns a webhook that allows or denies, at the path {@code /validate-GROUP-VERSION-KIND} in
   * lower case, with dashes instead of dots.
   */
  public static <T extends KubernetesObject> Webhook validating(
      ResourceType<T> type, Validator<T> validator) {
    requireNonNull(validator, "validator");
    return validating(
        type,
        request ->
            requireNonNull(
                validator.validate(
                    request.subject().orElseThrow(() -> withoutObject(request)), request),
                "the validator returned null: return AdmissionResponse.allow()"));
  }

  /** Returns a webhook that allows or denies, at the same path as that of a {@link Validator}. */
  public static <T extends KubernetesObject> Webhook validating(
      ResourceType<T> type, AdmissionHandler<T> handler) {
    return of(Phase.VALIDATE, type, requireNonNull(handler, "handler"));
  }

  private static <T extends KubernetesObject> Webhook of(
      Phase phase, ResourceType<T> type, AdmissionHandler<T> handler) {
    GroupVersionKind kind = type.kind();
    String verb = phase.name().toLowerCase(Locale.ROOT);
    String group = kind.group().isEmpty() ? "core" : kind.group();
    return new Webhook(
        phase,
        kind,
        review -> handler.handle(AdmissionRequest.of(review, type.codec())),
        "/"
            + verb
            + "-"
            + kind.group().replace('.', '-')
            + "-"
            + kind.version()
            + "-"
            + kind.kind().toLowerCase(Locale.ROOT),
        MutatingWebhook.of(
            w ->
                w.name(verb + "." + type.resource().resource() + "." + kind.version() + "." + group)
                    .addRules(
                        rule ->
                            rule.apiGroups(List.of(kind.group()))
                                .apiVersions(List.of(kind.version()))
                                .resources(List.of(type.resource().resource()))
                                .operations(List.of(OperationType.CREATE, OperationType.UPDATE)))
                    .failurePolicy(FailurePolicyType.FAIL)
                    .sideEffects(SideEffectClass.NONE)
                    .timeoutSeconds(10)
                    .admissionReviewVersions(List.of("v1"))));
  }

  private static AdmissionDeniedException withoutObject(AdmissionRequest<?> request) {
    return new AdmissionDeniedException(
        AdmissionResponse.deny(
            400,
            StatusReason.BAD_REQUEST,
            "there is no object in the request: "
                + request.operation()
                + " "
                + request.resource()));
  }

  /**
   * Returns this webhook at another path.
   *
   * @throws IllegalArgumentException if the path does not begin with a slash, or has other
   *     characters than letters, digits, {@code -}, {@code _} and slashes
   */
  public Webhook path(String path) {
    if (!path.matches("/|(/[a-zA-Z0-9_-]+)+")) {
      throw new IllegalArgumentException(
          "not the path of a webhook: " + path + "; it is like /validate-foo");
    }
    return new Webhook(phase, kind, call, path, registration);
  }

  /**
   * Returns this webhook with another name in the configuration of the server, which appears in
   * messages to users. Default: like {@code validate.foos.v1.example.com}.
   *
   * @param name a name in a domain, with two dots or more
   */
  public Webhook name(String name) {
    requireNonNull(name, "name");
    return with(w -> w.name(name));
  }

  /** Returns this webhook for these operations. Default: CREATE and UPDATE. */
  public Webhook operations(Operation... operations) {
    if (operations.length == 0) {
      throw new IllegalArgumentException("name at least one operation");
    }
    return rule(
        r ->
            r.operations(
                Stream.of(operations)
                    .distinct()
                    .map(operation -> OperationType.of(operation.name()))
                    .toList()));
  }

  /**
   * Returns this webhook for these resources instead of the one of its type: {@code
   * resources("foos", "foos/status")}.
   */
  public Webhook resources(String... resources) {
    if (resources.length == 0) {
      throw new IllegalArgumentException("name at least one resource");
    }
    return rule(r -> r.resources(List.of(resources)));
  }

  /**
   * Returns this webhook for resources of another group and version than that of its type, for
   * subresources with an object of another kind: {@code deployments/scale} in {@code apps/v1} has a
   * {@code Scale}. {@code *} stands for any group, version, resource or subresource.
   */
  public Webhook resources(GroupVersion groupVersion, String... resources) {
    return resources(resources)
        .rule(
            r ->
                r.apiGroups(List.of(groupVersion.group()))
                    .apiVersions(List.of(groupVersion.version())));
  }

  /**
   * Returns this webhook with another policy for requests while it cannot be reached, or answers
   * with an error. Default: they fail.
   */
  public Webhook failurePolicy(FailurePolicyType policy) {
    requireNonNull(policy, "policy");
    return with(w -> w.failurePolicy(policy));
  }

  /**
   * Returns this webhook with a statement about its side effects. Default: none. A server does not
   * send dry runs to a webhook with side effects that do not mind {@link
   * AdmissionRequest#isDryRun}, and refuses them.
   */
  public Webhook sideEffects(SideEffectClass sideEffects) {
    requireNonNull(sideEffects, "sideEffects");
    return with(w -> w.sideEffects(sideEffects));
  }

  /**
   * Returns this webhook with another time for an answer. Default: 10 seconds. The thread of a
   * function that takes longer is interrupted.
   *
   * @param timeout whole seconds, from 1 to 30
   */
  public Webhook timeout(Duration timeout) {
    long seconds = timeout.toSeconds();
    if (seconds < 1 || seconds > 30 || !timeout.equals(Duration.ofSeconds(seconds))) {
      throw new IllegalArgumentException(
          "a server waits for a webhook between 1 and 30 whole seconds, not " + timeout);
    }
    return with(w -> w.timeoutSeconds((int) seconds));
  }

  /** Returns this webhook for objects in namespaces with such labels. Default: all. */
  public Webhook namespaceSelector(LabelSelector selector) {
    requireNonNull(selector, "selector");
    return with(w -> w.namespaceSelector(selector));
  }

  /**
   * Returns this webhook for objects with such labels. Default: all. The labels belong to the user,
   * who can leave them out, so this is no protection.
   */
  public Webhook objectSelector(LabelSelector selector) {
    requireNonNull(selector, "selector");
    return with(w -> w.objectSelector(selector));
  }

  /**
   * Returns this webhook for requests that also satisfy a condition, which the server evaluates
   * instead of a call. Default: none. There may be 64, and all must be true. If one fails, a
   * request fails or passes as {@link #failurePolicy} says.
   *
   * @param name a name that no other condition of this webhook has
   * @param expression an expression in CEL on {@code object}, {@code oldObject}, {@code request}
   *     and {@code authorizer}: {@code request.userInfo.username != 'admin'}
   */
  public Webhook matchCondition(String name, String expression) {
    MatchCondition condition =
        new MatchCondition(requireNonNull(name, "name"), requireNonNull(expression, "expression"));
    return with(w -> w.editMatchConditions(all -> all.add(condition)));
  }

  /**
   * Returns this webhook with another policy for requests in other versions of its resources. The
   * default is the server's: it converts their objects to the version of this webhook, {@code
   * EQUIVALENT}. With {@code EXACT} it does not call this webhook for them.
   */
  public Webhook matchPolicy(MatchPolicyType policy) {
    requireNonNull(policy, "policy");
    return with(w -> w.matchPolicy(policy));
  }

  /**
   * Returns this webhook with another policy for objects that a later webhook has changed. The
   * default is the server's, not to call this one again, {@code NEVER}. With {@code IF_NEEDED} it
   * may call it once more.
   *
   * @throws IllegalStateException if this is a validating webhook, which sees the final object
   */
  public Webhook reinvocationPolicy(ReinvocationPolicyType policy) {
    if (phase != Phase.MUTATE) {
      throw new IllegalStateException("only mutating webhooks can be called again, not " + this);
    }
    requireNonNull(policy, "policy");
    return with(w -> w.reinvocationPolicy(policy));
  }

  private Webhook rule(Consumer<RuleWithOperations.Builder> change) {
    return with(w -> w.editRules(rules -> rules.replaceAll(rule -> rule.with(change))));
  }

  private Webhook with(Consumer<MutatingWebhook.Builder> change) {
    return new Webhook(phase, kind, call, path, registration.with(change));
  }

  Phase phase() {
    return phase;
  }

  /** Returns the registration of this webhook at a target. */
  MutatingWebhook registration(WebhookTarget target) {
    return registration.with(w -> w.clientConfig(target.admission(path)));
  }

  /** Returns the path under which the server serves this webhook. */
  public String path() {
    return path;
  }

  /** Returns the name in the configuration of the server. */
  public String name() {
    return requireNonNull(registration.name(), "name");
  }

  /**
   * Answers a request.
   *
   * @throws CodecException if an object in the request cannot be read as the type of this webhook
   */
  AdmissionResponse answer(ReviewRequest request) throws Exception {
    return call.answer(request);
  }

  /** Returns the path and the kind. */
  @Override
  public String toString() {
    return path + " (" + kind + ")";
  }
}
