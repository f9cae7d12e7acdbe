package com.example.api;

import com.example.api.stable.v1.CronTab;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.ListerWatcher;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.util.Objects;
import javax.annotation.processing.Generated;

/**
 * Clients of all resources, by group and version.
 *
 * <p>Its {@link #listerWatcher} feeds informers. Immutable, safe for use by many threads.
 */
@Generated("dev.clientgo.gen")
public final class Clientset implements SharedInformerFactory.Source {

  private final RESTClient client;

  private Clientset(RESTClient client) {
    this.client = client;
  }

  /** Returns a clientset that uses a client. */
  public static Clientset of(RESTClient client) {
    return new Clientset(Objects.requireNonNull(client, "client"));
  }

  /** Returns the versions of {@code stable.example.com}. */
  public StableExampleCom stableExampleCom() {
    return new StableExampleCom(client);
  }

  @Override
  public <T extends KubernetesObject> ListerWatcher<T> listerWatcher(
      ResourceType<T> type, String namespace, ListOptions selectors) {
    ResourceClient<T> all = client.resource(type);
    ResourceClient<T> part = namespace.isEmpty() ? all : all.inNamespace(namespace);
    return ListWatch.of(part::list, part::watch)
        .filtered(
            options ->
                options.toBuilder()
                    .labelSelector(selectors.labelSelector())
                    .fieldSelector(selectors.fieldSelector())
                    .build());
  }

  /** The versions of {@code stable.example.com}. */
  public static final class StableExampleCom {

    private final RESTClient client;

    private StableExampleCom(RESTClient client) {
      this.client = client;
    }

    /** Returns the clients of version {@code v1}. */
    public V1 v1() {
      return new V1(client);
    }

    /** The clients of {@code stable.example.com/v1}. */
    public static final class V1 {

      private final RESTClient client;

      private V1(RESTClient client) {
        this.client = client;
      }

      /** Returns the client of {@code crontabs}. */
      public ResourceClient<CronTab> cronTabs() {
        return client.resource(CronTab.TYPE);
      }

      /** Returns the client of {@code crontabs} in one namespace. */
      public ResourceClient<CronTab> cronTabs(String namespace) {
        return cronTabs().inNamespace(namespace);
      }
    }
  }
}
