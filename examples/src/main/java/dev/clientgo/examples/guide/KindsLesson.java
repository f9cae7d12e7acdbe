package dev.clientgo.examples.guide;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.runtime.Scheme;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.examples.generated.k8s.samplecontroller.v1alpha1.Foo;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.Lesson;
import dev.clientgo.kubernetes.ApiScheme;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.discovery.APIResource;
import dev.clientgo.rest.discovery.DiscoveryClient;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** Lesson 2 of the guide: the names of a type, in a program and on the server. */
@Command(
    name = "kinds",
    description =
        "Asks a Scheme and discovery about kinds and resources, and ends. It starts its own"
            + " server.")
public final class KindsLesson extends Lesson {

  /** The command line parser calls this. */
  public KindsLesson() {}

  @Override
  protected void run(Cluster cluster, RESTClient client, PrintWriter out)
      throws InterruptedException {
    cluster.requireOwn();
    scheme(out);
    registration(out);
    discovery(client, out);
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

  private static void registration(PrintWriter out) {
    out.println("== Registration of Foo");
    String json = "{\"apiVersion\":\"samplecontroller.k8s.io/v1alpha1\",\"kind\":\"Foo\"}";
    Scheme builtIn = ApiScheme.addTo(Scheme.builder()).build();
    Scheme withFoo = ApiScheme.addTo(Scheme.builder()).add(Foo.TYPE, Foo.class).build();
    out.println("without: " + decoded(json, builtIn));
    out.println("with:    " + decoded(json, withFoo));
    out.println("back:    Foo -> " + withFoo.objectKinds(Foo.of(foo -> {})).kinds());
  }

  private static String decoded(String json, Scheme scheme) {
    try {
      return scheme.decode(json.getBytes(UTF_8)).getClass().getSimpleName();
    } catch (Scheme.NotRegisteredException e) {
      return String.valueOf(e.getMessage());
    }
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
}
