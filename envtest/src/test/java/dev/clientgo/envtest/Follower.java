package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.DeletedObject;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.ReflectorOptions;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * An informer whose handler keeps its own view of the objects and records violations of the
 * guarantees.
 */
final class Follower implements ResourceEventHandler<Unstructured>, AutoCloseable {

  private final ResourceClient<Unstructured> direct;
  private final SharedIndexInformer<Unstructured> informer;
  private final Map<String, Unstructured> view = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<String> problems = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<RuntimeException> errors = new ConcurrentLinkedQueue<>();

  /**
   * Creates an instance.
   *
   * @param reads lists and watches for the informer
   * @param direct a client that reads the current objects
   */
  Follower(
      RESTClient reads,
      RESTClient direct,
      ResourceType<Unstructured> type,
      ReflectorOptions.Builder options) {
    this.direct = direct.resource(type);
    ResourceClient<Unstructured> watched = reads.resource(type);
    informer =
        SharedIndexInformer.builder(ListWatch.of(watched::list, watched::watch))
            .options(options.name(type.resource().resource()).build())
            .watchErrorHandler((reflector, error) -> errors.add(error))
            .build();
    informer.addEventHandler(this);
  }

  SharedIndexInformer<Unstructured> informer() {
    return informer;
  }

  /** Returns the errors between the informer and the server. */
  List<RuntimeException> errors() {
    return List.copyOf(errors);
  }

  /** Returns how often a version of the informer had expired. */
  long expired() {
    return errors.stream()
        .filter(error -> error instanceof ApiStatusException api && api.isResourceExpired())
        .count();
  }

  void start() {
    informer.start();
  }

  private static String key(Unstructured object) {
    return object.metadata().namespace() + "/" + object.metadata().name();
  }

  private static long version(Unstructured object) {
    return Long.parseLong(String.valueOf(object.metadata().resourceVersion()));
  }

  @Override
  public void onAdd(Unstructured object, boolean isInInitialList) {
    if (view.put(key(object), object) != null) {
      problems.add("added twice: " + key(object));
    }
  }

  @Override
  public void onUpdate(Unstructured before, Unstructured after) {
    Unstructured had = view.put(key(after), after);
    if (had == null || !had.equals(before)) {
      problems.add("updated from a state never seen: " + key(after));
    }
    if (version(after) < version(before)) {
      problems.add("went back in time: " + key(after));
    }
  }

  @Override
  public void onDelete(DeletedObject<Unstructured> deleted) {
    if (view.remove(deleted.key()) == null) {
      problems.add("deleted but never added: " + deleted.key());
    }
  }

  void assertAgrees() throws InterruptedException {
    var list = direct.list(ListOptions.NONE);
    Map<String, Unstructured> server = new ConcurrentHashMap<>();
    list.items().forEach(object -> server.put(key(object), object));

    Waiting.until(informer.name() + ": the store equals the list", () -> server.equals(stored()));
    Waiting.until(informer.name() + ": the view equals the store", () -> view.equals(stored()));
    assertThat(problems).isEmpty();
    assertThat(server).isNotEmpty();
  }

  private Map<String, Unstructured> stored() {
    Map<String, Unstructured> stored = new ConcurrentHashMap<>();
    informer.indexer().list().forEach(object -> stored.put(key(object), object));
    return stored;
  }

  @Override
  public void close() {
    informer.close();
  }
}
