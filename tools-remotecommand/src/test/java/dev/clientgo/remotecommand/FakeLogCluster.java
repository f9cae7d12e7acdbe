package dev.clientgo.remotecommand;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ContainerStatus;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodStatus;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/** Pods of an embedded API server whose logs a test writes. */
final class FakeLogCluster implements AutoCloseable {

  private static final Instant START = Instant.parse("2026-11-22T10:00:00Z");

  private static final String LOG = "/log";

  /** One instance of a container. */
  private static final class Instance {
    private final List<String> lines = new ArrayList<>();
    private boolean hasEnded;
  }

  private final EmbeddedApiServer api = EmbeddedApiServer.start();
  private final RESTClient direct = RESTClient.create(api.restConfig());
  private final FakeKubelet kubelet = new FakeKubelet(this::handle);
  private final RESTClient client =
      RESTClient.create(
          api.restConfig().toBuilder().server(kubelet.config().server().toString()).build());

  /** The instances of containers, by {@code pod/container}. */
  private final Map<String, List<Instance>> containers = new HashMap<>();

  private final List<Instance> deleted = new ArrayList<>();

  private final AtomicLong lineNumber = new AtomicLong();
  private @Nullable Random cuts;
  private int meanBytes;

  FakeLogCluster() throws IOException {}

  RESTClient client() {
    return client;
  }

  /** Cuts each log after some bytes from now on. */
  synchronized void cut(long seed, int mean) {
    cuts = new Random(seed);
    meanBytes = mean;
  }

  /** Returns how many logs were cut. */
  int cuts() {
    return kubelet.cuts();
  }

  private ResourceClient<Pod> pods() {
    return direct.resource(Pod.TYPE).inNamespace("default");
  }

  /** Creates a pod whose containers run. */
  void run(String app, String pod, String... names) throws InterruptedException {
    synchronized (this) {
      for (String name : names) {
        containers.put(pod + "/" + name, new ArrayList<>(List.of(new Instance())));
      }
    }
    pods()
        .create(
            Pod.of(
                "default",
                pod,
                created ->
                    created
                        .editMetadata(meta -> meta.editLabels(labels -> labels.put("app", app)))
                        .editSpec(
                            spec -> {
                              for (String name : names) {
                                spec.editContainers(name, c -> c.image("i"));
                              }
                            })));
    setStatus(
        pod,
        status ->
            status.containerStatuses(Arrays.stream(names).map(name -> running(name, 0)).toList()));
  }

  static ContainerStatus running(String name, int restarts) {
    return ContainerStatus.of(
        status ->
            status
                .name(name)
                .restartCount(restarts)
                .editState(state -> state.editRunning(running -> {})));
  }

  void setStatus(String pod, Consumer<PodStatus.Builder> change) throws InterruptedException {
    pods().editStatus(pod, current -> current.with(changed -> changed.editStatus(change)));
  }

  /** Adds another container to the logs. */
  synchronized void add(String pod, String container) {
    containers.put(pod + "/" + container, new ArrayList<>(List.of(new Instance())));
  }

  /** Writes a line, 20 ms after the last one of all. */
  synchronized void line(String pod, String container, String text) {
    Instant time = START.plusMillis(20 * lineNumber.incrementAndGet());
    List<Instance> instances = containers.get(pod + "/" + container);
    instances.get(instances.size() - 1).lines.add(time + " " + text);
    notifyAll();
  }

  /** Ends the container and starts it again. The status tells later. */
  void restart(String pod, String container) throws InterruptedException {
    int restarts;
    synchronized (this) {
      List<Instance> instances = containers.get(pod + "/" + container);
      instances.get(instances.size() - 1).hasEnded = true;
      restarts = instances.size();
      instances.add(new Instance());
      notifyAll();
    }
    setStatus(
        pod,
        status ->
            status.editContainerStatuses(
                all ->
                    all.replaceAll(
                        old -> container.equals(old.name()) ? running(container, restarts) : old)));
  }

  /** Deletes a pod. Its logs end later. */
  void delete(String pod) throws InterruptedException {
    synchronized (this) {
      containers
          .entrySet()
          .removeIf(
              container ->
                  container.getKey().startsWith(pod + "/") && deleted.addAll(container.getValue()));
    }
    pods().delete(pod);
  }

  synchronized void endLogsOfDeletedPods() {
    deleted.forEach(instance -> instance.hasEnded = true);
    notifyAll();
  }

  private void handle(FakeKubelet.Connection connection) throws Exception {
    HttpUrl url = connection.url();
    if (!url.encodedPath().endsWith(LOG)) {
      forward(connection);
      return;
    }
    List<String> path = url.pathSegments();
    String key = path.get(path.size() - 2) + "/" + url.queryParameter("container");
    boolean isPrevious = "true".equals(url.queryParameter("previous"));
    Instance instance;
    synchronized (this) {
      List<Instance> instances = containers.get(key);
      int index = instances == null ? -1 : instances.size() - (isPrevious ? 2 : 1);
      if (instances == null || index < 0) {
        connection.respond(
            400,
            "{\"kind\":\"Status\",\"status\":\"Failure\",\"reason\":\"BadRequest\",\"code\":400,\"message\":\"no"
                + " such container\"}");
        return;
      }
      instance = instances.get(index);
      if (cuts != null) {
        connection.cutAfter(cuts.nextInt(2 * meanBytes));
      }
    }
    connection.raw(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
            .getBytes(UTF_8));
    send(connection, instance, url);
    connection.raw("0\r\n\r\n".getBytes(UTF_8));
  }

  private void send(FakeKubelet.Connection connection, Instance instance, HttpUrl url)
      throws Exception {
    String since = url.queryParameter("sinceTime");
    String tail = url.queryParameter("tailLines");
    boolean follow = "true".equals(url.queryParameter("follow"));
    int sent = 0;
    synchronized (this) {
      if (tail != null) {
        sent = Math.max(0, instance.lines.size() - Integer.parseInt(tail));
      }
    }
    while (true) {
      List<String> batch;
      synchronized (this) {
        while (follow && !instance.hasEnded && sent == instance.lines.size()) {
          wait();
        }
        if (sent == instance.lines.size()) {
          return;
        }
        int end = Math.min(instance.lines.size(), sent + 100);
        batch = List.copyOf(instance.lines.subList(sent, end));
        sent = end;
      }
      for (String line : batch) {
        if (since == null
            || !Instant.parse(line.substring(0, line.indexOf(' ')))
                .isBefore(Instant.parse(since))) {
          byte[] bytes = (line + "\n").getBytes(UTF_8);
          connection.raw((Integer.toHexString(bytes.length) + "\r\n").getBytes(UTF_8));
          connection.raw(bytes);
          connection.raw("\r\n".getBytes(UTF_8));
        }
      }
    }
  }

  /** Passes one request on to the API server. */
  private void forward(FakeKubelet.Connection connection) throws IOException {
    URI server = api.url();
    StringBuilder request = new StringBuilder();
    HttpUrl url = connection.url();
    request.append("GET ").append(url.encodedPath());
    if (url.encodedQuery() != null) {
      request.append('?').append(url.encodedQuery());
    }
    request.append(" HTTP/1.1\r\n");
    connection
        .headers()
        .forEach(
            (name, value) -> {
              if (!name.equalsIgnoreCase("Connection")
                  && !name.equalsIgnoreCase("Accept-Encoding")) {
                request.append(name).append(": ").append(value).append("\r\n");
              }
            });
    request.append("\r\n");
    try (Socket socket = new Socket(server.getHost(), server.getPort())) {
      socket.getOutputStream().write(request.toString().getBytes(ISO_8859_1));
      InputStream in = socket.getInputStream();
      // The server keeps the connection, but the client must not: it is for one request.
      for (int b = in.read(); b >= 0; b = in.read()) {
        connection.raw(new byte[] {(byte) b});
        if (b == '\n') {
          break;
        }
      }
      connection.raw("Connection: close\r\n".getBytes(ISO_8859_1));
      byte[] buffer = new byte[8192];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        connection.raw(Arrays.copyOf(buffer, read));
      }
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (this) {
      containers.values().forEach(deleted::addAll);
      endLogsOfDeletedPods();
    }
    client.close();
    direct.close();
    api.close();
    kubelet.close();
  }
}
