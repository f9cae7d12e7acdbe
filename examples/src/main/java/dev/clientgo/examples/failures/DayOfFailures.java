package dev.clientgo.examples.failures;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.HandlerOptions;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.Clientset;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Makes a server fail, one step after the other, and prints what is reported. */
final class DayOfFailures implements AutoCloseable {

  private final EmbeddedApiServer server;
  private final PrintWriter out;
  private final RESTClient client;
  private final ResourceClient<Pod> pods;
  private final SharedInformerFactory informers;
  private final SharedIndexInformer<Pod> informer;
  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

  DayOfFailures(EmbeddedApiServer server, PrintWriter out) {
    this.server = server;
    this.out = out;
    client = RESTClient.create(server.restConfig());
    pods = client.resource(Pod.TYPE).inNamespace("default");
    informers =
        SharedInformerFactory.builder(Clientset.of(client))
            .configureAll(
                any ->
                    any.watchErrorHandler((reflector, error) -> say("error", error.getMessage())))
            .build();
    informer = informers.informer(Pod.TYPE);
    informer.addEventHandler(
        handler ->
            handler
                .onAdd(pod -> event("added " + ObjectName.of(pod)))
                .onDelete(
                    deleted ->
                        event(
                            "deleted "
                                + deleted.key()
                                + (deleted.finalStateUnknown() ? ", noticed by a list" : ""))));
  }

  void run() throws IOException, InterruptedException {
    badKubeconfig();
    forbidden();
    watchCut();
    serverGone();
    versionsExpired();
    unreadableObject();
    handlerThrows();
  }

  private void badKubeconfig() throws IOException {
    title("The kubeconfig is not YAML");
    Path file = Files.createTempFile("kubeconfig", "");
    try {
      Files.writeString(file, "clusters:\n- name: [\n");
      KubeConfigLoader.builder().file(file).build().load();
    } catch (ConfigException e) {
      say("load() throws", e.getMessage());
    } finally {
      Files.delete(file);
    }
  }

  private void forbidden() throws InterruptedException {
    title("The server forbids to list pods");
    server
        .faults()
        .on(request -> request.resource().equals("pods"))
        .always()
        .answer(
            ApiStatusException.forbidden(
                    new GroupResource("", "pods"),
                    "",
                    "User \"web\" cannot list resource \"pods\" in API group \"\"")
                .status());
    informers.start();
    say("awaitSynced returns", informers.awaitSynced(Duration.ofSeconds(1)));
    server.faults().clear(); // An administrator grants the rights.
    informers.awaitSynced(Duration.ofSeconds(30)).orThrow();
    say("then", "the informer is synced, without a restart of the program");
  }

  private void watchCut() throws InterruptedException {
    title("A watch is cut in the middle of an event");
    server.awaitWatches(1).forEach(watch -> watch.cut());
    pods.create(pod("web"));
    await("added default/web");
  }

  private void serverGone() throws InterruptedException {
    title("The server goes away");
    server.stop();
    try {
      pods.get("web");
    } catch (TransportException e) {
      say("get throws", e.getMessage());
    }
    server.restart();
    pods.create(pod("web-2"));
    await("added default/web-2");
  }

  private void versionsExpired() throws InterruptedException {
    title("A pod is deleted while the server is away, and the server forgets its old versions");
    server.stop();
    server.objects(Pod.TYPE.resource()).delete("default", "web");
    server.faults().expireResourceVersions();
    server.restart();
    await("deleted default/web, noticed by a list");
  }

  private void unreadableObject() throws InterruptedException {
    title("An object has a field of a wrong type");
    server
        .objects(Pod.TYPE.resource())
        .put(Unstructured.from(Pod.CODEC, pod("broken")).with("not a list", "spec", "volumes"));
    pods.create(pod("web-3"));
    await("added default/web-3");
    say("health", informer.health().omitted());
  }

  private void handlerThrows() throws InterruptedException {
    title("A handler throws");
    informer.addEventHandler(
        handler ->
            handler.onAdd(
                pod -> {
                  throw new IllegalStateException("no disk space for " + ObjectName.of(pod));
                }),
        HandlerOptions.builder().name("writes files").build());
    pods.create(pod("web-4"));
    await("added default/web-4"); // The other handler has it.
    while (informer.health().handlers().get(1).failures() == 0) {
      Clock.system().sleep(Duration.ofMillis(10));
    }
    say("health", informer.health().handlers().get(1));
  }

  private static Pod pod(String name) {
    return Pod.of(
        "default", name, pod -> pod.editSpec(s -> s.editContainers("web", c -> c.image("nginx"))));
  }

  private void title(String text) {
    out.println("== " + text);
  }

  private void say(String what, @Nullable Object text) {
    out.println("  " + what + ": " + text);
  }

  private void event(String text) {
    say("event", text);
    events.add(text);
  }

  /** Waits until the handler has seen an event. */
  private void await(String event) throws InterruptedException {
    for (String seen = ""; !event.equals(seen); ) {
      seen = events.poll(30, TimeUnit.SECONDS);
      if (seen == null) {
        throw new IllegalStateException("not seen within 30 s: " + event);
      }
    }
  }

  @Override
  public void close() {
    informers.close();
    client.close();
  }
}
