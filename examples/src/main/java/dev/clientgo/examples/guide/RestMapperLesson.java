package dev.clientgo.examples.guide;

import dev.clientgo.apimachinery.errors.AmbiguousMatchException;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.NoMatchException;
import dev.clientgo.apimachinery.restmapper.DefaultRESTMapper;
import dev.clientgo.apimachinery.restmapper.PriorityRESTMapper;
import dev.clientgo.apimachinery.restmapper.RESTMapper;
import dev.clientgo.apimachinery.restmapper.RESTMapping;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.FooDefinition;
import dev.clientgo.examples.lesson.Lesson;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.Retry;
import dev.clientgo.rest.discovery.ShortcutExpander;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;

/** Lesson 3 of the guide: from a kind to a path of the server, and from part of a name to both. */
@Command(
    name = "rest-mapper",
    description =
        "Asks RESTMappers for kinds and resources by parts of their names, and ends. It"
            + " starts its own server.")
public final class RestMapperLesson extends Lesson {

  private static final Backoff DISCOVERED =
      Backoff.builder(Duration.ofMillis(100)).steps(300).build();

  /** The command line parser calls this. */
  public RestMapperLesson() {}

  @Override
  protected void run(Cluster cluster, RESTClient client, PrintWriter out)
      throws InterruptedException {
    cluster.requireOwn();
    RESTMapper mapper = ShortcutExpander.of(client);
    questions(mapper, out);
    ambiguity(out);
    typed(mapper, out);
    discovered(client, mapper, out);
  }

  /** A part that is empty matches anything. */
  private static GroupVersionResource partial(String group, String resource) {
    return new GroupVersionResource(group, "", resource);
  }

  private static void questions(RESTMapper mapper, PrintWriter out) {
    out.println("== Six questions");
    out.println("KindFor      deployments   " + mapper.kindFor(partial("", "deployments")));
    out.println(
        "ResourceFor  Deployment    " + path(mapper.resourceFor(partial("", "Deployment"))));
    out.println(
        "ResourceFor  events.events " + path(mapper.resourceFor(partial("events", "events"))));
    out.println("KindFor      events        " + mapper.kindFor(partial("", "events")));
    out.println("KindsFor     events        " + mapper.kindsFor(partial("", "events")));
    out.println("ResourcesFor events        " + paths(mapper.resourcesFor(partial("", "events"))));
    RESTMapping mapping =
        mapper.restMapping(new GroupVersionKind("apps", "v1", "Deployment").groupKind());
    out.println("RESTMapping  Deployment    " + path(mapping.resource()) + ", " + mapping.scope());
  }

  private static void ambiguity(PrintWriter out) {
    out.println("== Two groups have the name");
    RESTMapper fixed =
        DefaultRESTMapper.builder()
            .add(
                new GroupVersionKind("shop.example.com", "v1", "Order"),
                RESTMapping.Scope.NAMESPACE)
            .add(
                new GroupVersionKind("post.example.com", "v1", "Order"),
                RESTMapping.Scope.NAMESPACE)
            .build();
    try {
      fixed.kindFor(partial("", "orders"));
    } catch (AmbiguousMatchException e) {
      out.println("! " + e.getMessage());
    }
    out.println("orders.post: " + fixed.kindFor(partial("post", "orders")));
    RESTMapper preferring =
        PriorityRESTMapper.of(
            fixed,
            List.of(),
            List.of(new GroupVersionKind("shop.example.com", PriorityRESTMapper.ANY, "Order")));
    out.println("with a preference: " + preferring.kindFor(partial("", "orders")));
  }

  private static String path(GroupVersionResource resource) {
    return resource.groupVersion() + "/" + resource.resource();
  }

  private static List<String> paths(List<GroupVersionResource> resources) {
    return resources.stream().map(RestMapperLesson::path).toList();
  }

  private static void typed(RESTMapper mapper, PrintWriter out) {
    out.println("== From what a person types to a path");
    for (String typed : new String[] {"deploy", "Deployment.apps", "po", "nodes", "foos"}) {
      print(typed, mapper, out);
    }
  }

  private static void discovered(RESTClient client, RESTMapper mapper, PrintWriter out)
      throws InterruptedException {
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
