package dev.clientgo.events.internal.writing;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;

/**
 * Stores events. Corresponds to client-go's {@code EventSink}.
 *
 * @param <E> the type of the events
 */
public interface EventSink<E extends KubernetesObject> {

  /** Creates an event. */
  void create(E event) throws InterruptedException;

  /** Patches the event of this namespace and name. */
  void patch(E event, Patch patch) throws InterruptedException;

  /** Patches an event; creates it if it is not there, since a server keeps events for an hour. */
  default void patchOrCreate(E event, Patch patch) throws InterruptedException {
    try {
      patch(event, patch);
    } catch (ApiStatusException e) {
      if (!e.isNotFound()) {
        throw e;
      }
      create(event);
    }
  }

  /** Returns the sink that sends requests to a server. */
  static <E extends KubernetesObject> EventSink<E> of(RESTClient client, ResourceType<E> type) {
    ResourceClient<E> events = client.resource(type);
    return new EventSink<>() {
      @Override
      public void create(E event) throws InterruptedException {
        events.create(event);
      }

      @Override
      public void patch(E event, Patch patch) throws InterruptedException {
        String namespace = event.metadata().namespace();
        String name = event.metadata().name();
        if (namespace == null || name == null) {
          throw new IllegalArgumentException("an event without namespace or name: " + event);
        }
        events.inNamespace(namespace).patch(name, patch);
      }
    };
  }
}
