package dev.clientgo.controller;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.leaderelection.shard.ShardGroup;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.testing.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;

/** Replicas of one program that share config maps, each with a connection that can be cut. */
abstract class ShardsFixture {

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  static final int OBJECTS = 60;

  final List<Replica> replicas = new ArrayList<>();

  /** Reconciles of one object by two replicas at once. */
  final List<String> overlaps = new CopyOnWriteArrayList<>();

  /** Those of them in which both replicas own the object. */
  final List<String> overlapsOfOwners = new CopyOnWriteArrayList<>();

  /** The replica that reconciles an object now. */
  private final ConcurrentMap<String, Replica> active = new ConcurrentHashMap<>();

  /** Begins the names of the group and of its objects. */
  final String prefix = "shards-" + NUMBERS.incrementAndGet();

  abstract RESTClient client();

  /** A replica: a manager with one controller, and a connection that can be cut. */
  final class Replica implements AutoCloseable {
    final String name;
    final RESTClient own;
    final Manager manager;
    final ConcurrentMap<String, String> reconciled = new ConcurrentHashMap<>();
    final Set<String> deleted = ConcurrentHashMap.newKeySet();
    volatile boolean isCutOff;

    /** Whether its caches cannot read from the server; its Lease continues. */
    volatile boolean isBlind;

    /** Whether it may not read or write Leases. */
    volatile boolean lacksLeases;

    /** The object for which its predicate throws. */
    volatile String failsFor = "";

    /** May hold a reconcile up. */
    volatile Consumer<Request> beforeReconcile = request -> {};

    /** The client of the last reconcile. */
    volatile Client client;

    /**
     * Creates a replica that is not started.
     *
     * @param shardedCache whether its cache has only its own objects
     */
    Replica(String name, boolean shardedCache, Consumer<ShardGroup.Builder> options) {
      this(name, shardedCache, options, 4);
    }

    Replica(String name, boolean shardedCache, Consumer<ShardGroup.Builder> options, int workers) {
      this.name = name;
      own =
          RESTClient.builder(client().config())
              .addInterceptor(
                  (request, next) -> {
                    boolean reads = request.url().getPath().endsWith("/configmaps");
                    if (isCutOff) {
                      throw new TransportException(
                          TransportException.Kind.CONNECTION_LOST, "cut off", null);
                    }
                    if (isBlind && reads) {
                      throw ApiStatusException.forbidden(
                          new GroupResource("", "configmaps"), "", "not today");
                    }
                    if (lacksLeases && request.url().getPath().contains("/leases")) {
                      throw ApiStatusException.forbidden(
                          new GroupResource("coordination.k8s.io", "leases"), "", "not today");
                    }
                    return next.send(request);
                  })
              .build();
      manager =
          Manager.builder(own)
              .metricsBindAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .shards(
                  LeaseLock.of("default", prefix),
                  group -> {
                    group
                        .identity(name)
                        .leaseDuration(Duration.ofSeconds(5))
                        .renewDeadline(Duration.ofSeconds(4))
                        .retryPeriod(Duration.ofMillis(500));
                    options.accept(group);
                  })
              .build();
      manager.add(
          Controller.builder(this::reconcile)
              .forKind(ConfigMap.TYPE, Predicate.of(this::passes))
              .shardedCache(shardedCache)
              .workers(workers)
              .build());
      replicas.add(this);
    }

    private boolean passes(ConfigMap map) {
      if (failsFor.equals(map.metadata().name())) {
        throw new StackOverflowError("a fault of the user");
      }
      return isOurs(map);
    }

    private Result reconcile(Request request, Context context) throws InterruptedException {
      client = context.client();
      CachedResource<ConfigMap> maps = context.client().resource(ConfigMap.TYPE);
      Optional<ConfigMap> found = maps.find(request);
      String object = found.map(map -> map.metadata().uid()).orElse("deleted " + request);
      Replica other = active.putIfAbsent(object, this);
      if (other != null && other != this) {
        overlaps.add(request + ": " + other + " and " + this);
        if (found.isPresent() && owns(object) && other.owns(object)) {
          overlapsOfOwners.add(request + ": " + other + " and " + this);
        }
      }
      try {
        beforeReconcile.accept(request);
        if (found.isEmpty()) {
          deleted.add(request.name());
        } else {
          String version = found.get().data().getOrDefault("version", "");
          maps.edit(found.get(), map -> map.with(c -> c.editData(d -> d.put("by", name))));
          reconciled.put(request.name(), version);
        }
        return Result.done();
      } finally {
        active.remove(object, this);
      }
    }

    private boolean owns(String uid) {
      return manager.shards().orElseThrow().owns(uid);
    }

    /** Returns our objects in the cache of the controller. */
    List<ConfigMap> cached() {
      Client current = client;
      if (current == null) {
        return List.of(); // It has not reconciled anything yet.
      }
      try {
        return current.resource(ConfigMap.TYPE).list().stream()
            .filter(ShardsFixture.this::isOurs)
            .toList();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(e);
      }
    }

    /** Returns what the page of a path says. */
    HttpResponse<String> page(String path) {
      int port = manager.metricsAddress().orElseThrow().getPort();
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
      try {
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(e);
      }
    }

    ShardGroup group() {
      return manager.shards().orElseThrow();
    }

    Replica start() {
      manager.start();
      return this;
    }

    @Override
    public void close() {
      manager.close();
      own.close();
    }

    @Override
    public String toString() {
      return name;
    }
  }

  boolean isOurs(ConfigMap map) {
    return String.valueOf(map.metadata().name()).startsWith(prefix + "-");
  }

  ResourceClient<ConfigMap> maps() {
    return client().resource(ConfigMap.TYPE).inNamespace("default");
  }

  String object(int number) {
    return prefix + "-" + number;
  }

  void create() throws InterruptedException {
    for (int i = 0; i < OBJECTS; i++) {
      maps().create(ConfigMap.of("default", object(i), c -> c.data(Map.of("version", "1"))));
    }
  }

  void touch(String version) throws InterruptedException {
    for (int i = 0; i < OBJECTS; i++) {
      maps().edit(object(i), map -> map.with(c -> c.editData(d -> d.put("version", version))));
    }
  }

  /** Waits until a replica has reconciled each object in this version. */
  void awaitReconciled(String version) throws InterruptedException {
    for (int i = 0; i < OBJECTS; i++) {
      awaitReconciled(object(i), version);
    }
  }

  /** Waits until a replica has reconciled the object in this version. */
  void awaitReconciled(String object, String version) throws InterruptedException {
    Eventually.await(
        object + " in version " + version,
        () -> replicas.stream().anyMatch(r -> version.equals(r.reconciled.get(object))));
  }

  /** Waits until all slots belong to that many members, which agree about it. */
  void awaitMembers(Replica... members) throws InterruptedException {
    int slots = members[0].group().slotCount();
    Eventually.await(
        List.of(members) + " share all slots",
        () -> {
          int owned = 0;
          for (Replica member : members) {
            owned += member.group().slots().size();
            if (member.group().members().size() != members.length) {
              return false;
            }
          }
          return owned == slots;
        });
  }

  @AfterEach
  void stop() throws InterruptedException {
    replicas.forEach(Replica::close);
    for (int i = 0; i < OBJECTS; i++) {
      maps().deleteIfExists(object(i));
    }
  }
}
