package dev.clientgo.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.fields.FieldSelector;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.events.v1.Event;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples of {@code docs/events.md}, which are compiled here. */
final class EventsPageTest {

  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  static void record(RESTClient client, Unstructured foo, String name, int replicas) {
    try (EventBroadcaster broadcaster = EventBroadcaster.create(client)) {
      EventRecorder events = broadcaster.recorder("foo-controller");
      events.normal(foo, "Created", "CreateDeployment", "created the deployment %s", name);
      events.warning(foo, "InvalidSpec", "Validate", "spec.replicas is %d", replicas);
    }
  }

  static void recordMore(
      EventRecorder events, Unstructured foo, Deployment deployment, Pod pod, String traceId) {
    events.eventf(foo, deployment, EventRecorder.NORMAL, "Created", "CreateDeployment", "done");
    events.warning(ObjectReferences.of(pod, "spec.containers{web}"), "Unhealthy", "Probe", "503");
    events.annotated(Map.of("example.com/trace", traceId)).normal(foo, "Synced", "Sync", "done");
  }

  /** Stands for a metrics library. */
  interface Registry {
    void counter(String name, LongSupplier value);
  }

  static void export(Registry registry, EventBroadcaster broadcaster) {
    registry.counter("events_dropped_total", () -> broadcaster.stats().dropped());
  }

  static boolean end(EventBroadcaster broadcaster) {
    boolean isComplete = broadcaster.close(Duration.ofSeconds(2));
    return isComplete;
  }

  /** Stands for a reconciler. */
  record FooReconciler(EventRecorder events) {
    void reconcile(Unstructured foo) {
      events.normal(foo, "Created", "CreateDeployment", "created the deployment %s", "web");
    }
  }

  @Test
  void reconciler_isTested() throws InterruptedException, TimeoutException {
    Unstructured foo =
        Unstructured.parseYaml("{apiVersion: example.com/v1, kind: Foo, metadata: {name: a}}")
            .get(0);

    FakeRecorder events = FakeRecorder.create();
    new FooReconciler(events).reconcile(foo);
    assertThat(events.lines()).containsExactly("Normal Created created the deployment web");
    Event event = events.await("Created", Duration.ofSeconds(10)); // for another thread
    assertThat(event.reason()).isEqualTo("Created");
  }

  static List<Event> find(RESTClient client, Unstructured foo) throws InterruptedException {
    FieldSelector aboutFoo =
        EventFieldSelector.of(Event.TYPE.kind().groupVersion(), ObjectReferences.of(foo));
    List<Event> events =
        client
            .resource(Event.TYPE)
            .list(ListOptions.builder().fieldSelector(aboutFoo).build())
            .items();
    return events;
  }

  @Test
  void examples_areThoseOfThisClass() throws IOException {
    String here =
        squeezed(
            Files.readString(Path.of("src/test/java/dev/clientgo/events/EventsPageTest.java")));
    Matcher examples = EXAMPLE.matcher(Files.readString(Path.of("../docs/events.md")));
    int count = 0;
    while (examples.find()) {
      assertThat(here).contains(squeezed(examples.group(1)));
      count++;
    }

    assertThat(count).isEqualTo(6);
  }

  private static String squeezed(String text) {
    return text.replaceAll("\\s", "");
  }
}
