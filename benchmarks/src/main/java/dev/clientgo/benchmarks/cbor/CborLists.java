package dev.clientgo.benchmarks.cbor;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RequestMetrics;
import dev.clientgo.rest.config.RestConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lists of custom resources from the real kube-apiserver, in JSON and in CBOR by turns: how long a
 * list takes from the request to the last object, and how many bytes the response has before it is
 * compressed. First with compression, which is the default of clients, then without.
 *
 * <p>Arguments: the number of objects, 10,000 if not given, and of lists in each encoding, 10.
 */
public final class CborLists {

  private static final int WRITERS = 8;

  private static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: certificates.bench.example.com}
      spec:
        group: bench.example.com
        scope: Namespaced
        names: {kind: Certificate, plural: certificates, singular: certificate}
        versions:
        - name: v1
          served: true
          storage: true
          schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
      """;

  private CborLists() {}

  public static void main(String[] arguments) throws Exception {
    int objects = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
    int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 10;
    if (!KubeApiServer.isAvailable()) {
      System.err.println("cbor: no kube-apiserver; build it with envtest/kube-apiserver/build");
      System.exit(1);
    }
    try (KubeApiServer server =
        KubeApiServer.builder().flag("--feature-gates=CBORServingAndStorage=true").start()) {
      define(server);
      create(server, objects);
      for (boolean compressed : new boolean[] {true, false}) {
        try (Side json = new Side(server, RestConfig.CborMode.OFF, compressed);
            Side cbor = new Side(server, RestConfig.CborMode.ALLOW, compressed)) {
          for (int round = 0; round < rounds; round++) {
            json.list(objects);
            cbor.list(objects);
          }
          json.print("json" + (compressed ? ", compressed" : ""));
          cbor.print("cbor" + (compressed ? ", compressed" : ""));
        }
      }
    }
  }

  private static void define(KubeApiServer server) throws IOException, InterruptedException {
    Path file = Files.createTempFile("certificates", ".yaml");
    try {
      Files.writeString(file, DEFINITION);
      server.installCrds(file);
    } finally {
      Files.delete(file);
    }
  }

  private static void create(KubeApiServer server, int objects) throws Exception {
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    try (RESTClient client = RESTClient.create(server.restConfig())) {
      ResourceClient<Unstructured> certificates = certificates(client);
      AtomicInteger next = new AtomicInteger();
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        all.add(
            writers.submit(
                () -> {
                  for (int n; (n = next.getAndIncrement()) < objects; ) {
                    certificates.create(Certificates.created(n));
                  }
                  return null;
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } finally {
      writers.shutdownNow();
    }
  }

  private static ResourceClient<Unstructured> certificates(RESTClient client) {
    return client
        .dynamic(new GroupVersionResource("bench.example.com", "v1", "certificates"))
        .inNamespace("default");
  }

  /** A client, and the figures of its lists. */
  private static final class Side implements AutoCloseable {

    private final AtomicLong received = new AtomicLong();
    private final RESTClient client;
    private final ResourceClient<Unstructured> certificates;
    private final List<Long> micros = new ArrayList<>();

    Side(KubeApiServer server, RestConfig.CborMode mode, boolean compressed) {
      client =
          RESTClient.builder(
                  server.restConfig().toBuilder()
                      .cbor(mode)
                      .disableCompression(!compressed)
                      .build())
              .metrics(
                  new RequestMetrics() {
                    @Override
                    public void transferred(Attempt attempt, long sent, long bytes) {
                      received.set(bytes);
                    }
                  })
              .build();
      certificates = certificates(client);
    }

    void list(int objects) throws InterruptedException {
      AtomicInteger count = new AtomicInteger();
      long start = System.nanoTime();
      certificates.list(ListOptions.NONE, object -> count.incrementAndGet());
      micros.add((System.nanoTime() - start) / 1000);
      if (count.get() != objects) {
        throw new IllegalStateException(count + " objects instead of " + objects);
      }
    }

    @Override
    public void close() {
      client.close();
    }

    void print(String name) {
      long[] sorted = micros.stream().mapToLong(Long::longValue).sorted().toArray();
      System.out.printf(
          Locale.ROOT,
          "%s: first_ms=%d median_ms=%d best_ms=%d bytes=%d%n",
          name,
          micros.get(0) / 1000,
          sorted[sorted.length / 2] / 1000,
          Arrays.stream(sorted).min().orElseThrow() / 1000,
          received.get());
    }
  }
}
