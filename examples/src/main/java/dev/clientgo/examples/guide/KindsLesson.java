package dev.clientgo.examples.guide;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.NoMatchException;
import dev.clientgo.apimachinery.restmapper.RESTMapper;
import dev.clientgo.apimachinery.restmapper.RESTMapping;
import dev.clientgo.apimachinery.runtime.Scheme;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.examples.generated.k8s.samplecontroller.v1alpha1.Foo;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.FooDefinition;
import dev.clientgo.examples.lesson.Lesson;
import dev.clientgo.kubernetes.ApiScheme;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.Retry;
import dev.clientgo.rest.discovery.APIResource;
import dev.clientgo.rest.discovery.DiscoveryClient;
import dev.clientgo.rest.discovery.ShortcutExpander;
import java.io.PrintWriter;
import java.time.Duration;
import picocli.CommandLine.Command;

/** Lesson 2 of the guide: from a class to a path of the server and back. */
@Command(
    name = "kinds",
    description =
        "Asks a Scheme, discovery and a RESTMapper about kinds and resources, and ends. It starts"
            + " a server of its own.")
public final class KindsLesson extends Lesson {

  private static final Backoff DISCOVERED =
      Backoff.builder(Duration.ofMillis(100)).steps(300).build();

  /** The command line parser calls this. */
  public KindsLesson() {}

  @Override
  protected void run(Cluster cluster, RESTClient client, PrintWriter out)
      throws InterruptedException {
    cluster.requireOwn();
    scheme(out);
    discovery(client, out);
    mapper(client, out);
  }

  private static void scheme(PrintWriter out) {
    out.println("== Scheme: which class is this kind?");
    Scheme scheme = ApiScheme.addTo(Scheme.builder()).build();
    GroupVersionKind deployment = new GroupVersionKind("apps", "v1", "Deployment");
    out.println(deployment + " -> " + scheme.allKnownTypes().get(deployment));
    String json = "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"web\"}}";
    Object decoded = scheme.decode(json.getBytes(UTF_8));
    out.println(json + " -> " + decoded.getClass().getSimpleName());
    out.println(Foo.TYPE.kind() + " -> known: " + scheme.recognizes(Foo.TYPE.kind()));
  }

  private static void discovery(RESTClient client, PrintWriter out) throws InterruptedException {
    out.println("== Discovery: what does this server serve?");
    DiscoveryClient discovery = DiscoveryClient.of(client);
    for (APIResource resource :
        discovery.serverResourcesForGroupVersion(new GroupVersion("apps", "v1"))) {
      if (resource.name().startsWith("deployments")) {
        out.printf(
            "%-18s kind %-10s namespaced %s, short names %s%n",
            resource.name(), resource.kind(), resource.namespaced(), resource.shortNames());
      }
    }
  }

  private static void mapper(RESTClient client, PrintWriter out) throws InterruptedException {
    out.println("== RESTMapper: from what a person types to a path");
    RESTMapper mapper = ShortcutExpander.of(client);
    for (String typed : new String[] {"deploy", "Deployment.apps", "po", "nodes", "foos"}) {
      print(typed, mapper, out);
    }
    GroupVersionResource events = new GroupVersionResource("", "", "events");
    out.println("events is any of " + mapper.kindsFor(events));

    out.println("== A definition is created");
    FooDefinition.install(client);
    Retry.onError(NoMatchException.class::isInstance)
        .withBackoff(DISCOVERED)
        .run(() -> mapper.find("foos"));
    print("foos", mapper, out);
    print("Foo", mapper, out);
  }

  private static void print(String typed, RESTMapper mapper, PrintWriter out) {
    try {
      RESTMapping found = mapper.find(typed);
      out.printf("%-16s %s -> %s%n", typed, found.kind(), path(found));
    } catch (KubernetesException e) {
      out.printf("%-16s %s%n", typed, e.getMessage());
    }
  }

  /** The core group is older than groups, and has its own path. */
  private static String path(RESTMapping mapping) {
    GroupVersionResource resource = mapping.resource();
    return (resource.group().isEmpty() ? "/api/" : "/apis/" + resource.group() + "/")
        + resource.version()
        + (mapping.isNamespaced() ? "/namespaces/NAMESPACE/" : "/")
        + resource.resource();
  }
}
