package dev.clientgo.benchmarks.podservice;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.benchmarks.apimachinery.PodEvents;
import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.examples.podservice.PodService;
import dev.clientgo.examples.podservice.PodServiceOptions;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.Request;
import dev.clientgo.rest.Result;
import dev.clientgo.rest.config.RestConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Queries for pods, answered by the lesson {@code pod-service} from its cache and by the API
 * server: how many a second four callers get from each, and how long 99 of 100 queries take.
 *
 * <p>Arguments: seconds for each figure, 5 if not given; then numbers of pods, 10,000 and 100,000
 * if not given. With {@code BENCH_SERVER=real} in the environment, the API server is a real one.
 */
public final class PodServiceBench {

  private static final int CALLERS = 4;
  private static final int NAMESPACES = 50;
  private static final int PODS_OF_A_NODE = 100;

  /** More queries than one caller can make in a turn. */
  private static final int MOST = 1 << 18;

  /** The same question to both; the API server has no answer to the last. */
  private static final List<Question> QUESTIONS =
      List.of(
          new Question(
              "node", "/pods?node=node-7", "/api/v1/pods?fieldSelector=spec.nodeName%3Dnode-7"),
          new Question(
              "labels",
              "/pods?namespace=team-3&label=app%3Dcart",
              "/api/v1/namespaces/team-3/pods?labelSelector=app%3Dcart&limit=500"),
          new Question("page", "/pods?limit=100", "/api/v1/pods?limit=100"),
          new Question("pod", "/pods/team-7/pod-7", "/api/v1/namespaces/team-7/pods/pod-7"),
          new Question("unchanged", "/pods?node=node-7", null));

  private PodServiceBench() {}

  private record Question(String name, String service, @Nullable String api) {}

  public static void main(String[] arguments) throws Exception {
    long seconds = arguments.length == 0 ? 5 : Long.parseLong(arguments[0]);
    int[] counts =
        arguments.length < 2
            ? new int[] {10_000, 100_000}
            : Arrays.stream(arguments).skip(1).mapToInt(Integer::parseInt).toArray();
    for (int count : counts) {
      try (ApiServer server = start(count);
          RESTClient api = RESTClient.create(server.restConfig());
          PodService service =
              new PodService(
                  api,
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                  PodServiceOptions.DEFAULTS)) {
        service.start();
        if (!service.awaitSynced(Duration.ofMinutes(5))) {
          throw new IllegalStateException("the service is not synced");
        }
        String url = "http://127.0.0.1:" + service.port();
        try (RESTClient web = RESTClient.create(RestConfig.builder(url).build())) {
          measure(count, seconds, api, web);
        }
      }
    }
  }

  // ---- pods

  private static ApiServer start(int count) throws Exception {
    if (!"real".equals(System.getenv("BENCH_SERVER"))) {
      EmbeddedApiServer server = EmbeddedApiServer.start();
      for (int i = 0; i < count; i++) {
        server.put(JsonReader.fromBytes(Unstructured.CODEC, pod(i)));
      }
      return server;
    }
    KubeApiServer server = KubeApiServer.start();
    try (RESTClient client = RESTClient.create(server.restConfig())) {
      for (int i = 0; i < NAMESPACES; i++) {
        String name = "team-" + i;
        client
            .resource(Namespace.TYPE)
            .create(Namespace.of(n -> n.editMetadata(m -> m.name(name))));
      }
      inParallel(
          8,
          caller -> {
            for (int i = caller; i < count; i += 8) {
              create(client, JsonReader.fromBytes(Pod.CODEC, pod(i)));
            }
            return null;
          });
    }
    return server;
  }

  private static void create(RESTClient client, Pod pod) throws InterruptedException {
    client
        .resource(Pod.TYPE)
        .create(
            pod.with(
                p ->
                    p.editMetadata(
                        m ->
                            m.uid(null)
                                .resourceVersion(null)
                                .creationTimestamp(null)
                                .managedFields(null))));
  }

  private static byte[] pod(int i) {
    return PodEvents.pod(i)
        .replaceFirst("\"name\":\"[^\"]*", "\"name\":\"pod-" + i)
        .replaceFirst("\"namespace\":\"[^\"]*", "\"namespace\":\"team-" + i % NAMESPACES)
        .replaceFirst("\"nodeName\":\"[^\"]*", "\"nodeName\":\"node-" + i / PODS_OF_A_NODE)
        .getBytes(UTF_8);
  }

  // ---- queries

  /** A query that can be sent many times. Returns the number of bytes of the answer. */
  private interface Query {
    int send() throws InterruptedException;
  }

  private static void measure(int pods, long seconds, RESTClient api, RESTClient web)
      throws Exception {
    for (Question question : QUESTIONS) {
      boolean conditional = question.api == null;
      String tag =
          conditional ? get(web, question.service, null).header("ETag").orElse(null) : null;
      Query service = () -> get(web, question.service, tag).raw().length;
      run(service, seconds); // Not measured: the code is cold.
      print(pods, question, "pod-service", service, run(service, seconds), seconds);
      if (question.api != null) {
        Query direct = () -> get(api, question.api, null).raw().length;
        run(direct, seconds);
        print(pods, question, "api-server", direct, run(direct, seconds), seconds);
      }
    }
  }

  private static Result get(RESTClient client, String path, @Nullable String tag)
      throws InterruptedException {
    Request request = client.get().requestURI(path);
    return (tag == null ? request : request.header("If-None-Match", tag)).execute();
  }

  /** Returns the time of each query, sorted. */
  private static long[] run(Query query, long seconds) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    List<long[]> all =
        inParallel(
            CALLERS,
            caller -> {
              long[] nanos = new long[MOST];
              int count = 0;
              for (long begin = System.nanoTime(); begin < end && count < MOST; ) {
                query.send();
                long now = System.nanoTime();
                nanos[count++] = now - begin;
                begin = now;
              }
              return Arrays.copyOf(nanos, count);
            });
    return all.stream().flatMapToLong(LongStream::of).sorted().toArray();
  }

  private interface Caller<T extends @Nullable Object> {
    T call(int caller) throws Exception;
  }

  private static <T extends @Nullable Object> List<T> inParallel(int callers, Caller<T> task)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    try {
      List<Callable<T>> tasks =
          IntStream.range(0, callers).<Callable<T>>mapToObj(i -> () -> task.call(i)).toList();
      List<T> results = new ArrayList<>();
      for (Future<T> future : threads.invokeAll(tasks)) {
        results.add(future.get());
      }
      return results;
    } finally {
      threads.shutdown();
    }
  }

  private static void print(
      int pods, Question question, String way, Query query, long[] nanos, long seconds)
      throws InterruptedException {
    System.out.printf(
        Locale.ROOT,
        "%d pods, %s, %s: queries_per_s=%.0f p50_us=%d p99_us=%d bytes=%d%n",
        pods,
        question.name,
        way,
        (double) nanos.length / seconds,
        nanos[nanos.length / 2] / 1000,
        nanos[(int) (nanos.length * 99L / 100)] / 1000,
        query.send());
  }
}
