package dev.clientgo.conformance;

import dev.clientgo.cache.DeletedObject;
import dev.clientgo.cache.InformerHealth;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import tools.jackson.databind.json.JsonMapper;

/** Runs an informer of this library as the scripts demand. */
final class ThisLibrary implements Client {

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private final Consumer<String> lines;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final RESTClient client;
  private final SharedIndexInformer<ConfigMap> informer;

  ThisLibrary(List<String> arguments, Consumer<String> lines) {
    this.lines = lines;
    Map<String, String> options = new HashMap<>();
    for (String argument : arguments.subList(1, arguments.size())) {
      String[] option = argument.split("=", 2);
      options.put(option[0], option.length > 1 ? option[1] : "");
    }
    RestConfig.Builder config = RestConfig.builder(arguments.get(0));
    if (options.containsKey("timeout")) {
      config.timeout(seconds(options.get("timeout")));
    }
    if (options.containsKey("idle")) {
      config.watchIdleTimeout(seconds(options.get("idle")));
    }
    client = RESTClient.create(config.build());
    var maps = client.resource(ConfigMap.TYPE);
    informer =
        SharedIndexInformer.builder(ListWatch.of(maps::list, maps::watch))
            .resyncPeriod(seconds(options.getOrDefault("resync", "0")))
            .build();
    if (options.containsKey("handler")) {
      informer.addEventHandler(new BadHandler(options.get("handler")));
    }
    informer.addEventHandler(new Recorder());
    informer.start();
  }

  public static void main(String[] arguments) throws IOException {
    try (ThisLibrary library = new ThisLibrary(List.of(arguments), ThisLibrary::printLine);
        BufferedReader commands =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = commands.readLine(); "store".equals(line); line = commands.readLine()) {
        library.send(line);
      }
    }
  }

  private static synchronized void printLine(String line) {
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    System.out.write(bytes, 0, bytes.length);
    System.out.flush();
  }

  private static Duration seconds(String count) {
    return Duration.ofSeconds(Long.parseLong(count));
  }

  @Override
  public void send(String command) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("store", informer.indexer().list().stream().map(ThisLibrary::describe).toList());
    InformerHealth health = informer.health();
    boolean handlerFails = health.handlers().stream().anyMatch(handler -> handler.failures() > 0);
    if (handlerFails || !health.omitted().isEmpty() || health.lastError().isPresent()) {
      answer.put("health", health.toString());
    }
    print(answer);
  }

  @Override
  public Optional<String> death() {
    return Optional.empty();
  }

  @Override
  public void close() {
    closed.countDown();
    informer.close();
    client.close();
  }

  private void print(Map<String, Object> line) {
    lines.accept(MAPPER.writeValueAsString(line));
  }

  private static Map<String, Object> describe(ConfigMap object) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("name", object.metadata().name());
    line.put("uid", object.metadata().uid());
    line.put("version", object.metadata().resourceVersion());
    line.put("value", object.data().get("value"));
    return line;
  }

  private final class Recorder implements ResourceEventHandler<ConfigMap> {

    @Override
    public void onAdd(ConfigMap object, boolean isInInitialList) {
      Map<String, Object> line = describe(object);
      line.put("event", "add");
      print(line);
    }

    @Override
    public void onUpdate(ConfigMap old, ConfigMap object) {
      Map<String, Object> line = describe(object);
      line.put("event", "update");
      line.put("oldVersion", old.metadata().resourceVersion());
      line.put("oldValue", old.data().get("value"));
      print(line);
    }

    @Override
    public void onDelete(DeletedObject<ConfigMap> deleted) {
      Map<String, Object> line = new LinkedHashMap<>();
      if (deleted.lastKnown() != null) {
        line.putAll(describe(deleted.lastKnown()));
      }
      line.put("name", deleted.objectName().name());
      line.put("event", "delete");
      line.put("finalStateUnknown", deleted.finalStateUnknown());
      print(line);
    }
  }

  private final class BadHandler implements ResourceEventHandler<ConfigMap> {

    private final String kind;

    BadHandler(String kind) {
      this.kind = kind;
    }

    @Override
    public void onAdd(ConfigMap object, boolean isInInitialList) {
      act();
    }

    @Override
    public void onUpdate(ConfigMap old, ConfigMap object) {
      act();
    }

    @Override
    public void onDelete(DeletedObject<ConfigMap> deleted) {
      act();
    }

    private void act() {
      if (kind.equals("throws-error")) {
        throw new AssertionError("the handler of the script throws an Error");
      }
      if (kind.equals("throws")) {
        throw new IllegalStateException("the handler of the script throws");
      }
      try {
        closed.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
