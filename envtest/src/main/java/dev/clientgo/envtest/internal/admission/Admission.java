package dev.clientgo.envtest.internal.admission;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.patch.JsonPatch;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.Status;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.internal.cel.CelCompiler.CelException;
import dev.clientgo.envtest.internal.cel.CelLibrary;
import dev.clientgo.envtest.internal.cel.MatchConditions;
import dev.clientgo.envtest.internal.cel.ValidationRules;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.rbac.Attributes;
import dev.clientgo.envtest.internal.requests.ObjectNormalizer;
import dev.clientgo.envtest.internal.webhooks.WebhookCalls;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The admission of one request: mutating webhooks, later validating ones, and their warnings. Used
 * by the thread of the request.
 *
 * <p>A mutating webhook is not called again for the changes of a later one. Without cel-java,
 * conditions in CEL count as met.
 */
public final class Admission {

  private static final String WITHOUT_CEL =
      "the embedded server ignores the CEL in this object: dev.cel:cel is not on the class path";

  private final ApiRequest request;
  private final ServedKind served;
  private final List<RegisteredWebhook> mutating;
  private final List<RegisteredWebhook> validating;
  private final @Nullable ObjectMeta namespace;
  private final WebhookCalls calls;
  private final List<String> warnings = new ArrayList<>();

  Admission(
      ApiRequest request,
      ServedKind served,
      List<RegisteredWebhook> mutating,
      List<RegisteredWebhook> validating,
      @Nullable ObjectMeta namespace,
      WebhookCalls calls) {
    this.request = request;
    this.served = served;
    this.mutating = mutating;
    this.validating = validating;
    this.namespace = namespace;
    this.calls = calls;
  }

  /** Returns the new object of a creation, or of an update with its old object, as changed. */
  public Unstructured mutate(Unstructured object, @Nullable Unstructured old) {
    Unstructured typed = typed(object);
    Unstructured changed = mutated(typed, old == null ? null : typed(old));
    return changed.equals(typed) ? object : ObjectNormalizer.of(served, changed.withType("", ""));
  }

  private Unstructured mutated(Unstructured object, @Nullable Unstructured old) {
    Unstructured current = object;
    String operation = old == null ? "CREATE" : "UPDATE";
    for (RegisteredWebhook webhook : mutating) {
      if (isFor(webhook, operation, current, old)) {
        current = patched(current, call(webhook, operation, current, old));
      }
    }
    return current;
  }

  /** Returns an admission of the same request that asks no more webhooks. */
  public Admission done() {
    return new Admission(request, served, List.of(), List.of(), namespace, calls);
  }

  private static Unstructured patched(Unstructured object, Map<String, Object> response) {
    String patch = JsonTree.string(response, "patch");
    if (patch.isEmpty()) {
      return object;
    }
    Object tree = JsonText.parse(Base64.getDecoder().decode(patch));
    Object changed = JsonPatch.of(tree).apply(object.content());
    return JsonText.parseObject(JsonText.write(changed));
  }

  /** Asks the validating webhooks about the final object. */
  public void validate(Unstructured object, @Nullable Unstructured old) {
    if (CelLibrary.COMPILER == null
        && ((served.resource().isDefinition() && ValidationRules.areIn(object.content()))
            || MatchConditions.areIn(object.content()))) {
      warnings.add(WITHOUT_CEL);
    }
    String operation = old == null ? "CREATE" : "UPDATE";
    ask(validating, operation, typed(object), old == null ? null : typed(old));
  }

  /** Asks all webhooks about the deletion of an object. */
  public void delete(Unstructured old) {
    ask(mutating, "DELETE", null, typed(old));
    ask(validating, "DELETE", null, typed(old));
  }

  /** Asks all webhooks about the change of a scale, and returns it as changed. */
  public Unstructured scale(Unstructured scale, Unstructured old) {
    Unstructured changed = mutated(scale, old);
    ask(validating, "UPDATE", changed, old);
    return changed;
  }

  private void ask(
      List<RegisteredWebhook> webhooks,
      String operation,
      @Nullable Unstructured object,
      @Nullable Unstructured old) {
    for (RegisteredWebhook webhook : webhooks) {
      if (isFor(webhook, operation, object, old)) {
        call(webhook, operation, object, old);
      }
    }
  }

  private boolean isFor(
      RegisteredWebhook webhook,
      String operation,
      @Nullable Unstructured object,
      @Nullable Unstructured old) {
    return webhook.concerns(request, served, operation)
        && webhook.selectsNamespace(namespace)
        && webhook.selectsObject(object, old)
        && meetsConditions(webhook, operation, object, old);
  }

  private boolean meetsConditions(
      RegisteredWebhook webhook,
      String operation,
      @Nullable Unstructured object,
      @Nullable Unstructured old) {
    try {
      Map<String, Object> review = review("", operation, object, old);
      return webhook.matches(JsonTree.object(review, "request"));
    } catch (CelException e) {
      GroupResource resource = new GroupResource(request.group(), request.resource());
      throw ApiStatusException.forbidden(resource, nameOf(object, old), e.getMessage());
    }
  }

  private Unstructured typed(Unstructured object) {
    return object.withType(served.apiVersion(), served.kind());
  }

  // ---- one call

  private Map<String, Object> call(
      RegisteredWebhook webhook,
      String operation,
      @Nullable Unstructured object,
      @Nullable Unstructured old) {
    if (isDryRun() && !webhook.takesDryRuns()) {
      throw ApiStatusException.badRequest(
          "admission webhook \"" + webhook.name() + "\" does not support dry run");
    }
    String uid = UUID.randomUUID().toString();
    Map<String, Object> response;
    try {
      response = JsonTree.object(send(webhook, review(uid, operation, object, old)), "response");
      if (!uid.equals(JsonTree.string(response, "uid"))) {
        throw new IOException("expected response.uid=\"" + uid + "\"");
      }
    } catch (IOException | KubernetesException e) {
      if (webhook.isIgnoredOnFailure()) {
        return Map.of();
      }
      throw ApiStatusException.internalError(
          "failed calling webhook \"" + webhook.name() + "\": " + e.getMessage());
    }
    warnings.addAll(JsonTree.strings(response, "warnings"));
    if (!Boolean.TRUE.equals(JsonTree.get(response, "allowed"))) {
      throw denied(webhook, JsonTree.object(response, "status"));
    }
    return response;
  }

  private Map<String, Object> send(RegisteredWebhook webhook, Map<String, Object> review)
      throws IOException {
    try {
      return calls.send(webhook.clientConfig(), webhook.timeoutSeconds(), review);
    } catch (IOException | KubernetesException e) {
      throw new IOException("failed to call webhook: " + e.getMessage(), e);
    }
  }

  private boolean isDryRun() {
    return !request.query().getOrDefault("dryRun", List.of()).isEmpty();
  }

  private static ApiStatusException denied(RegisteredWebhook webhook, Map<String, Object> tree) {
    Status status = JsonReader.fromBytes(Status.CODEC, JsonText.write(tree));
    String message = requireNonNullElse(status.message(), "");
    String reason = requireNonNullElse(status.reason(), "");
    int code = requireNonNullElse(status.code(), 0);
    String denied = "admission webhook \"" + webhook.name() + "\" denied the request";
    return new ApiStatusException(
        status.toBuilder()
            .status("Failure")
            .code(Math.max(code, 400))
            .message(
                !message.isEmpty() || !reason.isEmpty()
                    ? denied + ": " + (message.isEmpty() ? reason : message)
                    : denied + " without explanation")
            .build());
  }

  private Map<String, Object> review(
      String uid, String operation, @Nullable Unstructured object, @Nullable Unstructured old) {
    Unstructured subject = object == null ? old : object;
    String name = nameOf(object, old);
    Map<String, Object> kind =
        subject == null
            ? Map.of()
            : JsonTree.of(
                "group", subject.groupVersionKind().group(),
                "version", subject.groupVersionKind().version(),
                "kind", subject.kind());
    Map<String, Object> resource =
        JsonTree.of(
            "group", request.group(),
            "version", request.version(),
            "resource", request.resource());
    String subresource = request.subresource().isEmpty() ? null : request.subresource();
    return JsonTree.of(
        "kind", "AdmissionReview",
        "apiVersion", "admission.k8s.io/v1",
        "request",
            JsonTree.of(
                "uid", uid,
                "kind", kind,
                "resource", resource,
                "subResource", subresource,
                "requestKind", kind,
                "requestResource", resource,
                "requestSubResource", subresource,
                "name", name.isEmpty() ? null : name,
                "namespace", request.namespace().isEmpty() ? null : request.namespace(),
                "operation", operation,
                "userInfo", Attributes.userInfo(request.user()),
                "object", object == null ? null : object.content(),
                "oldObject", old == null ? null : old.content(),
                "dryRun", isDryRun()));
  }

  private static String nameOf(@Nullable Unstructured object, @Nullable Unstructured old) {
    Unstructured subject = object == null ? old : object;
    return subject == null ? "" : requireNonNullElse(subject.metadata().name(), "");
  }

  // ---- the answer

  /** Returns the response to a request that failed, with the warnings. */
  public Response failed(ApiStatusException failure) {
    if (warnings.isEmpty()) {
      throw failure;
    }
    return warn(Response.of(failure));
  }

  /** Returns a response with the warnings. */
  public Response warn(Response response) {
    Response warned = response;
    for (String warning : warnings) {
      String quoted = warning.strip().replace("\\", "\\\\").replace("\"", "\\\"");
      warned = warned.plus("Warning", "299 - \"" + quoted + '"');
    }
    return warned;
  }
}
