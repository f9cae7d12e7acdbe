package dev.clientgo.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.ResourceClient;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The common parts of the checks of replayed exchanges. */
final class Checks {

  static final String NAMESPACE = "default";
  static final GroupVersionResource FOOS =
      new GroupVersion("samplecontroller.example.com", "v1alpha1").withResource("foos");

  private Checks() {}

  /** Makes the request of an exchange by our client, and looks at what it gives back. */
  interface Check {
    void run(Replay it) throws Exception;
  }

  /** Returns all checks, by the name of their exchange. */
  static Map<String, Check> all() {
    Map<String, Check> all = new TreeMap<>();
    DiscoveryChecks.addTo(all);
    RefusalChecks.addTo(all);
    WriteChecks.addTo(all);
    PatchChecks.addTo(all);
    ListChecks.addTo(all);
    PodChecks.addTo(all);
    WatchChecks.addTo(all);
    CustomResourceChecks.addTo(all);
    return all;
  }

  /** The properties that all recorded config maps share. */
  static ConfigMap configMap(String name) {
    return ConfigMap.of(
        map ->
            map.editMetadata(
                    meta -> meta.name(name).editLabels(labels -> labels.put("app", "wire")))
                .editData(
                    data -> {
                      data.put("k", "v");
                      data.put("unicode", "h\u00e9llo \u2638 \u4e16\u754c");
                      data.put("escape", "tab\t\"quote\" \\ \u2028 \u0001");
                    }));
  }

  static ResourceClient<ConfigMap> configMaps(Replay it) {
    return it.clients().core().v1().configMaps(NAMESPACE);
  }

  static ResourceClient<Pod> pods(Replay it) {
    return it.clients().core().v1().pods(NAMESPACE);
  }

  static List<String> names(Collection<? extends KubernetesObject> objects) {
    return objects.stream().map(object -> object.metadata().name()).toList();
  }

  /** Checks that the server refuses something, and returns how. */
  static ApiStatusException refused(int code, String reason, ThrowingCallable call) {
    ApiStatusException error = catchThrowableOfType(ApiStatusException.class, call);
    assertThat(error).as("the error").isNotNull();
    assertThat(error.code()).isEqualTo(code);
    assertThat(error.reason()).isEqualTo(reason);
    return error;
  }

  /** Takes all events of a watch. */
  static <T> List<WatchEvent<T>> events(Watch<T> watch) throws InterruptedException {
    List<WatchEvent<T>> events = new ArrayList<>();
    try (watch) {
      Optional<WatchEvent<T>> next = watch.next();
      while (next.isPresent()) {
        events.add(next.get());
        next = watch.next();
      }
    }
    return events;
  }
}
