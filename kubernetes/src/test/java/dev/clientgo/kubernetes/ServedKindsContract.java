package dev.clientgo.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.cache.SharedInformerFactory.ResourceInformer;
import dev.clientgo.kubernetes.core.v1.Binding;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.Request;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.Retry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Takes an object of every kind that a server says it serves through its life: through generated
 * types, clients, informers and listers only. Everything the server sends on the way is decoded,
 * encoded and compared.
 */
abstract class ServedKindsContract {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** Kinds without objects: a server answers, or does something, and stores nothing. */
  private static final Set<String> DEEDS = Set.of("Binding");

  private static final Samples SAMPLES = Samples.load();

  private final Map<String, Integer> counts = new TreeMap<>();

  abstract RESTClient client();

  /** Returns a generated clientset. */
  abstract Object clientset();

  /** Returns typed access to a factory, as generated with the clientset. */
  abstract Object typed(SharedInformerFactory factory);

  /** Returns whether the kinds of a group are among those that were generated. */
  abstract boolean isGenerated(String group);

  @TestFactory
  Stream<DynamicTest> everyServedKind_livesThroughGeneratedCode() throws InterruptedException {
    List<ServedKind> served = ServedKind.discover(client(), this::isGenerated);
    Map<Object, ResourceClient<?>> clients = new HashMap<>();
    for (ResourceClient<?> each :
        Accessors.<ResourceClient<?>>leaves(clientset(), ResourceClient.class)) {
      clients.put(each.type().resource(), each);
    }
    Stream<DynamicTest> lives =
        served.stream()
            .map(
                kind ->
                    DynamicTest.dynamicTest(
                        kind.toString(), () -> live(kind, clients.get(kind.resource()))));
    DynamicTest summary =
        DynamicTest.dynamicTest(
            "count",
            () -> {
              System.out.println(getClass().getName().replaceFirst(".*\\.", "") + ": " + counts);
              assertThat(counts.get("kinds")).isEqualTo(served.size());
            });
    return Stream.concat(lives, Stream.of(summary));
  }

  private <T extends KubernetesObject> void live(ServedKind kind, ResourceClient<T> client)
      throws InterruptedException {
    assertThat(client).as("a generated client of %s", kind).isNotNull();
    assertThat(client.type().kind().kind()).isEqualTo(kind.kind());
    assertThat(client.type().isNamespaced()).isEqualTo(kind.namespaced());
    count("kinds");
    if (kind.can("list")) {
      count("objects", RoundTrip.checkList(client.type(), at(client, null, "").execute().raw()));
      client.list(ListOptions.NONE);
    }
    if (kind.can("create") && !kind.can("get")) {
      ask(kind, client);
    } else if (kind.can("create")) {
      String namespace = newNamespace(kind, SAMPLES.of(client.type()));
      try (SharedInformerFactory factory =
          SharedInformerFactory.builder(Clientset.of(client())).build()) {
        liveStored(kind, namespace.isEmpty() ? client : client.inNamespace(namespace), factory);
      }
    }
  }

  private void count(String what) {
    count(what, 1);
  }

  private void count(String what, int number) {
    counts.merge(what, number, Integer::sum);
  }

  private String newNamespace(ServedKind kind, KubernetesObject sample)
      throws InterruptedException {
    if (!kind.namespaced()) {
      return "";
    }
    if (sample.metadata().namespace() != null) {
      return sample.metadata().namespace();
    }
    String name = kind.kind() + "-" + kind.resource().groupVersion().toString().replace('/', '-');
    String namespace = name.toLowerCase(Locale.ROOT).replace('.', '-');
    Clientset.of(client())
        .core()
        .v1()
        .namespaces()
        .create(Namespace.of(n -> n.editMetadata(m -> m.name(namespace))));
    return namespace;
  }

  /** Creates an object that is a question: the answer is not stored. */
  private <T extends KubernetesObject> void ask(ServedKind kind, ResourceClient<T> client)
      throws InterruptedException {
    T sample = SAMPLES.of(client.type());
    if (DEEDS.contains(kind.kind())) {
      assertThat(sample).isInstanceOf(Binding.class);
      return; // See SubresourceContract, where there is a pod to bind.
    }
    client.create(sample);
    Request request = at(client, sample.metadata().namespace(), "", "POST");
    RoundTrip.check(client.type(), request.body(client.type().codec(), sample).execute().raw());
    count("create");
    count("objects");
  }

  private <T extends KubernetesObject> void liveStored(
      ServedKind kind, ResourceClient<T> client, SharedInformerFactory factory)
      throws InterruptedException {
    T sample = SAMPLES.of(client.type());
    String name = sample.metadata().name();
    ResourceInformer<T> informer = informer(factory, client.type());
    Recorder<T> recorder = new Recorder<>(name);
    informer.informer().addEventHandler(recorder);
    factory.start();
    factory.awaitSynced(TIMEOUT).orThrow();
    count("informers");

    T created = client.create(sample);
    count("create");
    assertThat(created.metadata().uid()).isNotEmpty();
    assertThat(get(client, name).metadata().uid()).isEqualTo(created.metadata().uid());
    assertThat(client.get(name).metadata().uid()).isEqualTo(created.metadata().uid());
    count("get");
    recorder.await("add");

    writeStatus(kind, client, sample);
    update(client, name);
    recorder.await("update");
    scale(kind, client, name);
    patch(client, name);
    apply(client, sample);
    list(client, name);
    awaitInLister(informer, client, name);
    watchToTheEnd(client, created);
    recorder.await("delete");
  }

  private <T extends KubernetesObject> ResourceInformer<T> informer(
      SharedInformerFactory factory, ResourceType<T> type) {
    for (ResourceInformer<?> each :
        Accessors.<ResourceInformer<?>>leaves(typed(factory), ResourceInformer.class)) {
      if (each.type() == type) {
        @SuppressWarnings("unchecked") // A type is of one kind of objects.
        ResourceInformer<T> informer = (ResourceInformer<T>) each;
        return informer;
      }
    }
    throw new AssertionError("no generated informer of " + type);
  }

  private <T extends KubernetesObject> void writeStatus(
      ServedKind kind, ResourceClient<T> client, T sample) throws InterruptedException {
    if (!kind.has("status")) {
      return;
    }
    Object status = Accessors.call(sample, "status");
    assertThat(status).as("status of the sample of %s", kind).isNotNull();
    String name = sample.metadata().name();

    T updated =
        Settling.write(
            () -> client.updateStatus(Accessors.with(client.get(name), "status", status)));

    assertThat(Accessors.call(updated, "status")).isNotNull();
    get(client, name);
    count("status");
    T configuration = Accessors.with(configuration(client, sample, Map.of()), "status", status);
    client.applyStatus(configuration, ApplyOptions.of("status-writer").force());
    get(client, name);
  }

  private <T extends KubernetesObject> void update(ResourceClient<T> client, String name)
      throws InterruptedException {
    T updated = Settling.write(() -> client.update(labelled(client.get(name))));

    assertThat(updated.metadata().labels()).containsEntry("updated", "yes");
    count("update");
  }

  private static <T extends KubernetesObject> T labelled(T object) {
    ObjectMeta metadata =
        object.metadata().with(m -> m.editLabels(labels -> labels.put("updated", "yes")));
    return Accessors.with(object, "metadata", metadata);
  }

  private <T extends KubernetesObject> void scale(
      ServedKind kind, ResourceClient<T> client, String name) throws InterruptedException {
    if (!kind.has("scale")) {
      return;
    }
    int wanted = client.scale().get(name).replicas() + 3;

    Settling.write(
        () -> client.scale().update(name, client.scale().get(name).withReplicas(wanted)));

    assertThat(client.scale().get(name).replicas()).isEqualTo(wanted);
    count("scale");
  }

  private <T extends KubernetesObject> void patch(ResourceClient<T> client, String name)
      throws InterruptedException {
    Map<String, ?> patch = Map.of("metadata", Map.of("annotations", Map.of("patched", "yes")));

    T patched = client.patch(name, Patch.merge(patch));

    assertThat(patched.metadata().annotations()).containsEntry("patched", "yes");
    count("patch");
  }

  private <T extends KubernetesObject> void apply(ResourceClient<T> client, T sample)
      throws InterruptedException {
    T applied =
        client.apply(
            configuration(client, sample, Map.of("applied", "a")), ApplyOptions.of("first"));

    assertThat(applied.metadata().labels()).containsEntry("applied", "a");
    assertThat(applied.metadata().managedFields())
        .anySatisfy(
            entry -> {
              assertThat(entry.manager()).isEqualTo("first");
              assertThat(entry.operation()).isEqualTo("Apply");
            });
    T other = configuration(client, sample, Map.of("applied", "b"));
    assertThatThrownBy(() -> client.apply(other, ApplyOptions.of("second")))
        .isInstanceOfSatisfying(
            ApiStatusException.class, e -> assertThat(e.isConflict()).as(e.toString()).isTrue());
    assertThat(client.apply(other, ApplyOptions.of("second").force()).metadata().labels())
        .containsEntry("applied", "b");
    assertThat(get(client, sample.metadata().name()).metadata().labels())
        .containsEntry("applied", "b");
    count("apply");
  }

  /** Returns the configuration of a field manager that owns only labels. */
  private static <T extends KubernetesObject> T configuration(
      ResourceClient<T> client, T sample, Map<String, String> labels) {
    ObjectMeta metadata =
        ObjectMeta.builder()
            .name(sample.metadata().name())
            .namespace(client.namespace())
            .labels(labels.isEmpty() ? null : labels)
            .build();
    return Accessors.only(sample, "metadata", metadata);
  }

  private <T extends KubernetesObject> void list(ResourceClient<T> client, String name)
      throws InterruptedException {
    count(
        "objects",
        RoundTrip.checkList(client.type(), at(client, client.namespace(), "").execute().raw()));
    ListOptions byName = ListOptions.builder().fieldSelector("metadata.name=" + name).build();
    awaitEqual(() -> client.get(name), () -> client.list(byName).items().get(0));
    count("list");
    if (isInProtobuf(client.type())) {
      assertThat(inProtobuf(client).list(ListOptions.NONE).items())
          .extracting(each -> each.metadata().name())
          .contains(name);
    }
  }

  private <T extends KubernetesObject> void awaitInLister(
      ResourceInformer<T> informer, ResourceClient<T> client, String name)
      throws InterruptedException {
    T current = client.get(name);
    assertThat(
            informer.informer().awaitResourceVersion(current.metadata().resourceVersion(), TIMEOUT))
        .isTrue();
    awaitEqual(
        () -> client.get(name),
        () ->
            client.namespace() == null
                ? informer.lister().get(name)
                : informer.lister().inNamespace(client.namespace()).get(name));
    count("lister");
  }

  /** Compares two reads of an object; the server's own controllers may write between them. */
  private static <T extends KubernetesObject> void awaitEqual(
      Retry.Attempt<T> expected, Retry.Attempt<T> actual) throws InterruptedException {
    Settling.look(
        () -> {
          T object = expected.run();
          T other = actual.run();
          if (!version(object).equals(version(other))) {
            throw new Settling.Unsettled("is at " + version(object) + " and at " + version(other));
          }
          assertThat(other).isEqualTo(object);
          return null;
        });
  }

  private static String version(KubernetesObject object) {
    return String.valueOf(object.metadata().resourceVersion());
  }

  /** Watches what has happened since the object was created, then what its deletion brings. */
  private <T extends KubernetesObject> void watchToTheEnd(ResourceClient<T> client, T created)
      throws InterruptedException {
    String name = created.metadata().name();
    ListOptions options =
        ListOptions.builder()
            .resourceVersion(created.metadata().resourceVersion())
            .fieldSelector("metadata.name=" + name)
            .timeout(TIMEOUT)
            .build();
    List<String> events = new ArrayList<>();
    ResourceClient<T> watched = isInProtobuf(client.type()) ? inProtobuf(client) : client;
    try (Watch<T> watch = watched.watch(options)) {
      delete(client, name);
      while (!events.contains("Deleted")) {
        WatchEvent<T> event = watch.next().orElseThrow(() -> new AssertionError(events));
        events.add(event.getClass().getSimpleName());
      }
    }
    assertThat(events).startsWith("Modified").endsWith("Deleted");
    assertThatThrownBy(() -> client.get(name))
        .isInstanceOfSatisfying(ApiStatusException.class, e -> assertThat(e.isNotFound()).isTrue());
    count("watch");
    count("delete");
  }

  private <T extends KubernetesObject> void delete(ResourceClient<T> client, String name)
      throws InterruptedException {
    client.delete(name);
    try {
      T left = get(client, name);
      if (left instanceof Namespace namespace) {
        Clientset.of(client())
            .core()
            .v1()
            .namespaces()
            .subresource("finalize")
            .update(name, namespace.with(n -> n.editSpec(s -> s.finalizers(List.of()))));
      } else {
        Map<String, Object> metadata = new HashMap<>();
        metadata.put("finalizers", null);
        client.patch(name, Patch.merge(Map.of("metadata", metadata)));
      }
    } catch (ApiStatusException e) {
      assertThat(e.isNotFound()).as(e.toString()).isTrue();
    }
  }

  private <T extends KubernetesObject> T get(ResourceClient<T> client, String name)
      throws InterruptedException {
    count("objects");
    T object = RoundTrip.check(client.type(), at(client, client.namespace(), name).execute().raw());
    if (isInProtobuf(client.type())) {
      T twin = inProtobuf(client).get(name);
      if (Objects.equals(twin.metadata().resourceVersion(), object.metadata().resourceVersion())) {
        RoundTrip.checkTwin(client.type(), twin, object);
        count("in protobuf");
      }
    }
    return object;
  }

  private <T extends KubernetesObject> ResourceClient<T> inProtobuf(ResourceClient<T> client) {
    ResourceClient<T> all = client().resource(client.type().protobuf());
    return client.namespace() == null ? all : all.inNamespace(client.namespace());
  }

  /** Returns whether the server has objects of a type in protobuf, and their codec knows it. */
  boolean isInProtobuf(ResourceType<?> type) {
    return false;
  }

  private Request at(ResourceClient<?> client, String namespace, String name) {
    return at(client, namespace, name, "GET");
  }

  private Request at(ResourceClient<?> client, String namespace, String name, String verb) {
    var resource = client.type().resource();
    Request request =
        client().verb(verb).groupVersion(resource.groupVersion()).resource(resource.resource());
    if (namespace != null && !namespace.isEmpty()) {
      request.namespace(namespace);
    }
    return name.isEmpty() ? request : request.name(name);
  }
}
