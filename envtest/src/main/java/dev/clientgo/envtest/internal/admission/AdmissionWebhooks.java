package dev.clientgo.envtest.internal.admission;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.storage.ObjectStore;
import dev.clientgo.envtest.internal.storage.StoredObject;
import dev.clientgo.envtest.internal.webhooks.WebhookCalls;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The admission webhooks that are registered on the server. Safe for use by many threads. */
public final class AdmissionWebhooks {

  private static final String GROUP = "admissionregistration.k8s.io";
  private static final GroupResource MUTATING =
      new GroupResource(GROUP, "mutatingwebhookconfigurations");
  private static final GroupResource VALIDATING =
      new GroupResource(GROUP, "validatingwebhookconfigurations");
  private static final GroupResource NAMESPACES = new GroupResource("", "namespaces");

  private final ObjectStore store;
  private final WebhookCalls calls;

  public AdmissionWebhooks(ObjectStore store, WebhookCalls calls) {
    this.store = store;
    this.calls = calls;
  }

  /** Begins the admission of a request; webhooks cannot block their own registration. */
  public Admission begin(ApiRequest request, ServedKind served) {
    return served.resource().group().equals(GROUP)
        ? none(request, served)
        : new Admission(
            request,
            served,
            registered(MUTATING),
            registered(VALIDATING),
            namespace(request, served),
            calls);
  }

  /** Returns the admission of a request that concerns no webhook. */
  public Admission none(ApiRequest request, ServedKind served) {
    return new Admission(request, served, List.of(), List.of(), null, calls);
  }

  /** Returns webhooks by the names of their configurations, then in their order. */
  private List<RegisteredWebhook> registered(GroupResource configurations) {
    List<RegisteredWebhook> webhooks = new ArrayList<>();
    for (StoredObject configuration : store.list(configurations, "").objects().values()) {
      JsonTree.objects(configuration.object().content(), "webhooks")
          .forEach(tree -> webhooks.add(new RegisteredWebhook(tree)));
    }
    return webhooks;
  }

  private @Nullable ObjectMeta namespace(ApiRequest request, ServedKind served) {
    String name = served.resource().isNamespace() ? request.name() : request.namespace();
    StoredObject namespace = name.isEmpty() ? null : store.get(NAMESPACES, name);
    return namespace == null ? null : namespace.metadata();
  }
}
