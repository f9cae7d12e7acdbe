package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.ObjectName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Handlers are added and removed while writers change the same objects as fast as they can, on a
 * watch that does not break. The calls for an object must be a part of its history, without a gap
 * and without a repetition; if the handler stays, to the end.
 */
@Tag("stress")
final class InformerStormTest {

  private static final int WRITERS = 2;
  private static final int CHANGES = Integer.getInteger("storm.changes", 3000) / WRITERS;
  private static final int KEYS = 8;
  private static final Duration SOON = Duration.ofSeconds(30);

  /** The object that is created at the end. */
  private static final String LAST = "default/last";

  private final FakeServer server = new FakeServer();

  /** The versions of each object in the order of the server; a minus stands for a deletion. */
  private final Map<String, List<String>> history = new ConcurrentHashMap<>();

  /** Records the versions of each object in the order of its calls. */
  private static final class Listener implements ResourceEventHandler<ApiObject> {

    final Map<String, List<String>> heard = new TreeMap<>();
    final CountDownLatch heardLast = new CountDownLatch(1);
    ResourceEventHandlerRegistration registration;

    private void hear(ApiObject object, String sign) {
      heard
          .computeIfAbsent(ObjectName.of(object).toString(), key -> new ArrayList<>())
          .add(sign + object.metadata().resourceVersion());
    }

    @Override
    public void onAdd(ApiObject object, boolean isInInitialList) {
      hear(object, "");
      if (ObjectName.of(object).toString().equals(LAST)) {
        heardLast.countDown();
      }
    }

    @Override
    public void onUpdate(ApiObject oldObject, ApiObject newObject) {
      hear(newObject, "");
    }

    @Override
    public void onDelete(DeletedObject<ApiObject> deleted) {
      hear(deleted.lastKnown(), "-");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  @Timeout(300)
  void handlersThatComeAndGo_hearEachObjectsHistoryWithoutAGap(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    List<Listener> staying = Collections.synchronizedList(new ArrayList<>());
    ConcurrentLinkedQueue<Listener> gone = new ConcurrentLinkedQueue<>();
    try (SharedIndexInformer<ApiObject> informer = SharedIndexInformer.builder(server).build()) {
      informer.start();
      assertThat(informer.awaitSynced(SOON)).isTrue();
      ExecutorService executor = Executors.newFixedThreadPool(WRITERS + 1);
      try {
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
          SplittableRandom own = random.split();
          String prefix = "default/" + i + "-";
          all.add(executor.submit(() -> change(own, prefix)));
        }
        Future<?> handlers = executor.submit(() -> comeAndGo(informer, all, staying, gone));
        for (Future<?> future : all) {
          future.get(50, TimeUnit.SECONDS);
        }
        handlers.get(50, TimeUnit.SECONDS);
      } finally {
        executor.shutdownNow();
      }
      awaitAll(informer, staying);
    }

    assertThat(gone).isNotEmpty();
    for (Listener listener : staying) {
      listener.heard.forEach((key, heard) -> assertPiece(key, heard, true));
    }
    for (Listener listener : gone) {
      listener.heard.forEach((key, heard) -> assertPiece(key, heard, false));
    }
  }

  /** Each writer has its own objects, so the test can record their history outside the server. */
  private void change(SplittableRandom random, String prefix) {
    for (int i = 0; i < CHANGES; i++) {
      String key = prefix + random.nextInt(KEYS);
      List<String> versions = history.computeIfAbsent(key, any -> new ArrayList<>());
      boolean exists = !versions.isEmpty() && !versions.get(versions.size() - 1).startsWith("-");
      if (exists && random.nextInt(5) == 0) {
        versions.add("-" + server.deleted(key).metadata().resourceVersion());
      } else {
        versions.add(server.put(key).metadata().resourceVersion());
      }
    }
  }

  private static int comeAndGo(
      SharedIndexInformer<ApiObject> informer,
      List<Future<?>> writers,
      List<Listener> staying,
      ConcurrentLinkedQueue<Listener> gone)
      throws InterruptedException {
    int i = 0;
    for (; i < 30 || writers.stream().anyMatch(writer -> !writer.isDone()); i++) {
      Listener listener = new Listener();
      listener.registration = informer.addEventHandler(listener);
      if (i < 5) {
        staying.add(listener);
      } else {
        assertThat(informer.shutDownEventHandler(listener.registration, SOON)).isTrue();
        gone.add(listener);
      }
    }
    return i;
  }

  private void awaitAll(SharedIndexInformer<ApiObject> informer, List<Listener> listeners)
      throws InterruptedException {
    server.put(LAST);
    for (Listener listener : listeners) {
      assertThat(listener.heardLast.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(listener.registration.hasSynced()).isTrue();
      assertThat(informer.shutDownEventHandler(listener.registration, SOON)).isTrue();
    }
  }

  private void assertPiece(String key, List<String> heard, boolean toTheEnd) {
    if (key.equals(LAST)) {
      return;
    }
    List<String> all = history.get(key);
    int start = all.indexOf(heard.get(0));
    assertThat(start).as("%s begins with a state of %s", heard, key).isNotNegative();
    int end = toTheEnd ? all.size() : start + heard.size();
    assertThat(heard).as(key).isEqualTo(all.subList(start, end));
  }
}
