package dev.clientgo.examples.guide;

import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.Lesson;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;

/** Lesson 1 of the guide: the API as bytes on a socket. */
@Command(
    name = "raw-api",
    description =
        "Gets, lists and watches by hand, over a socket, prints the bytes, and ends. It starts a"
            + " server of its own.")
public final class RawApiLesson extends Lesson {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  /** The first version in a list is that of the collection. */
  private static final Pattern VERSION = Pattern.compile("\"resourceVersion\":\"(\\d+)\"");

  /** The command line parser calls this. */
  public RawApiLesson() {}

  @Override
  protected void run(Cluster cluster, RESTClient client, PrintWriter out)
      throws IOException, InterruptedException, GeneralSecurityException {
    cluster.requireOwn();
    ResourceClient<ConfigMap> maps = client.resource(ConfigMap.TYPE).inNamespace("default");
    maps.create(menu("menu-1", "tomato"));
    maps.create(menu("menu-2", "pea"));

    String version;
    try (RawConnection connection = new RawConnection(cluster.config(), out)) {
      out.println("== GET");
      connection.get(MAPS + "/menu-1");

      out.println("== LIST, in pages");
      String page = connection.get(MAPS + "?labelSelector=meal&limit=1");
      String token = find(Pattern.compile("\"continue\":\"([^\"]+)\""), page);
      page = connection.get(MAPS + "?labelSelector=meal&limit=1&continue=" + token);
      version = find(VERSION, page);
    }

    try (RawConnection connection = new RawConnection(cluster.config(), out)) {
      out.println("== WATCH, from the version of the list");
      connection.watch(MAPS + "?labelSelector=meal&watch=1&resourceVersion=" + version);
      maps.create(menu("menu-3", "onion"));
      connection.printChunk();
      maps.edit("menu-1", map -> map.with(m -> m.data(Map.of("soup", "leek"))));
      connection.printChunk();
      maps.delete("menu-2");
      connection.printChunk();
    }

    // A real server does so every few minutes.
    Optional<EmbeddedApiServer> embedded = cluster.embeddedServer();
    if (embedded.isPresent()) {
      out.println("== 410: the server has forgotten the version");
      embedded.get().faults().expireResourceVersions();
      try (RawConnection connection = new RawConnection(cluster.config(), out)) {
        connection.watch(MAPS + "?labelSelector=meal&watch=1&resourceVersion=" + version);
        connection.printChunk();
        connection.printChunk();
      }
    }
  }

  private static ConfigMap menu(String name, String soup) {
    return ConfigMap.of(
        "default",
        name,
        map -> map.editMetadata(m -> m.labels(Map.of("meal", "lunch"))).data(Map.of("soup", soup)));
  }

  private static String find(Pattern pattern, String json) {
    Matcher matcher = pattern.matcher(json);
    if (!matcher.find()) {
      throw new IllegalStateException("no " + pattern + " in " + json);
    }
    return matcher.group(1);
  }
}
