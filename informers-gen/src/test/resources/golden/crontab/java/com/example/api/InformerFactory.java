package com.example.api;

import com.example.api.stable.v1.CronTab;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.cache.SyncResult;
import dev.clientgo.rest.RESTClient;
import java.time.Duration;
import javax.annotation.processing.Generated;

/**
 * Shared informers of all resources, by group and version.
 *
 * <p>Safe for use by many threads. Corresponds to client-go's generated {@code
 * informers.SharedInformerFactory}.
 */
@Generated("dev.clientgo.gen")
public final class InformerFactory implements AutoCloseable {

  private final SharedInformerFactory factory;

  private InformerFactory(SharedInformerFactory factory) {
    this.factory = factory;
  }

  /** Returns a factory whose informers list and watch through a client. */
  public static InformerFactory create(RESTClient client) {
    return of(SharedInformerFactory.builder(Clientset.of(client)).build());
  }

  /** Returns typed access to a factory, such as one that was built with other options. */
  public static InformerFactory of(SharedInformerFactory factory) {
    return new InformerFactory(factory);
  }

  /** Returns the versions of {@code stable.example.com}. */
  public StableExampleCom stableExampleCom() {
    return new StableExampleCom(factory);
  }

  /** Returns the informer of any type, also of one that is not generated here. */
  public <T extends KubernetesObject> SharedInformerFactory.ResourceInformer<T> of(
      ResourceType<T> type) {
    return factory.of(type);
  }

  /** Returns the factory behind this one, which other generated factories can share. */
  public SharedInformerFactory shared() {
    return factory;
  }

  /** Starts the requested informers that are not running. */
  public void start() {
    factory.start();
  }

  /** Waits until all informers have their first list, or until the timeout. */
  public SyncResult awaitSynced(Duration timeout) throws InterruptedException {
    return factory.awaitSynced(timeout);
  }

  /** Closes all informers. */
  @Override
  public void close() {
    factory.close();
  }

  /** The versions of {@code stable.example.com}. */
  public static final class StableExampleCom {

    private final SharedInformerFactory factory;

    private StableExampleCom(SharedInformerFactory factory) {
      this.factory = factory;
    }

    /** Returns the informers of version {@code v1}. */
    public V1 v1() {
      return new V1(factory);
    }

    /** The informers of {@code stable.example.com/v1}. */
    public static final class V1 {

      private final SharedInformerFactory factory;

      private V1(SharedInformerFactory factory) {
        this.factory = factory;
      }

      /** Returns the informer of {@code crontabs}. */
      public SharedInformerFactory.ResourceInformer<CronTab> cronTabs() {
        return factory.of(CronTab.TYPE);
      }
    }
  }
}
