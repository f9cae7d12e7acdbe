package dev.clientgo.liveview;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.cache.InformerObserver;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.clock.Deadline;
import dev.clientgo.workqueue.QueueObserver;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves a page that shows running informers and work queues: events of the watch, deltas in the
 * queue, objects and indices of the store, the buffer of each listener, and the sets of each work
 * queue.
 *
 * <pre>{@code
 * LiveView view = LiveView.start();
 * SharedIndexInformer<Pod> pods =
 *     SharedIndexInformer.builder(ListWatch.of(client::list, client::watch))
 *         .observer(view.informer(Pod.TYPE))
 *         .build();
 * System.out.println("See " + view.url());
 * }</pre>
 *
 * <p>The page is served at the loopback address only, and it is read-only unless {@link
 * Builder#allowControl} is called. It shows names and fields of objects to every user of this
 * machine; the values of Secrets are hidden. The page sends no request to any other server.
 *
 * <p>Above 200 steps a second the list of steps is a sample; the page shows how many it left out.
 * Counts and boxes are always exact; a box shows its first 30 entries and its size.
 *
 * <p>Safe for use by many threads.
 */
public final class LiveView implements AutoCloseable {

  private static final Logger LOG = System.getLogger(LiveView.class.getName());

  /** How long an action waits for the one before. */
  private static final Duration LONGEST_ACTION = Duration.ofSeconds(5);

  /** Identifies this view to its page: another program may answer at the same address later. */
  private final String run = UUID.randomUUID().toString();

  private final boolean control;
  private final Clock clock;
  private final @Nullable Path incident;
  private final @Nullable Supplier<ServerState> serverState;
  private final StepLog log;
  private final Gates gates;
  private final Map<String, Button> buttons;

  /** The names of the actions in the order of the buttons. */
  private final List<String> order;

  private final ScenePlayer scenes;
  private final List<InformerView<?>> informers = new CopyOnWriteArrayList<>();
  private final List<QueueView> queues = new CopyOnWriteArrayList<>();
  private final LiveViewServer server;

  /** How many calls of the program's function that knows the server are running. */
  private final AtomicInteger asking = new AtomicInteger();

  /** The Lease as the page shows it, or empty. */
  private volatile Map<String, Object> lease = Map.of();

  /** Actions run one after the other. */
  private final ReentrantLock actions = new ReentrantLock();

  private final Condition ended;

  /** The action that runs, or empty. */
  @GuardedBy("actions")
  private String running = "";

  private record Button(String id, Text text, Text help, Action action) {}

  private LiveView(Builder builder) {
    control = builder.control;
    clock = builder.clock;
    incident = builder.incident;
    serverState = builder.serverState;
    ended = clock.newCondition(actions);
    log = new StepLog(clock);
    gates = new Gates(clock);
    buttons = Map.copyOf(builder.buttons);
    order = List.copyOf(builder.buttons.keySet());
    scenes = new ScenePlayer(builder.scenes, clock);
    server = new LiveViewServer(this, builder.port, clock);
  }

  /** Starts a read-only view on a free port. */
  public static LiveView start() {
    return builder().start();
  }

  /** Returns a builder of a read-only view on a free port. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the address of the page. */
  public URI url() {
    return server.url();
  }

  // ---- what it shows

  /**
   * Returns the observer of one informer. The page shows the informer by its name, no longer those
   * of the same type that have ended.
   *
   * @param type the type of the objects, which the page compares field by field
   */
  public <T extends KubernetesObject> InformerObserver<T> informer(ResourceType<T> type) {
    informers.removeIf(each -> each.hasEnded(type)); // It holds a whole cache.
    InformerView<T> view = new InformerView<>(type, gates, log, clock);
    informers.add(view);
    return view;
  }

  /** Returns the observer of one work queue. */
  public QueueObserver queue(String name) {
    QueueView view = new QueueView(requireNonNull(name, "name"), gates, log, clock);
    queues.add(view);
    return view;
  }

  /**
   * Shows a write of a worker on its way to the server.
   *
   * @param queue the name of the worker's queue
   * @param answer the answer of the server, such as {@code 409 Conflict}
   */
  public void written(String queue, String verb, String key, String answer) {
    log.step(StepLog.Kind.WRITTEN, queue, verb + " → " + answer, key);
  }

  /**
   * Shows the Lease for which replicas compete, until the next call of this or of {@link #forget}.
   *
   * @param holder the holder that the Lease names
   * @param leader the replica that works, by the name of its queue; empty if none does
   * @param age the time since the last renewal
   * @param duration the age at which another replica may take the Lease
   */
  public void lease(String holder, String leader, Duration age, Duration duration) {
    long limit = duration.toSeconds();
    lease = Map.of("holder", holder, "leader", leader, "age", age.toSeconds(), "duration", limit);
  }

  /** Removes informers, queues and the Lease from the page, for a program that starts others. */
  public void forget() {
    informers.clear();
    queues.clear();
    lease = Map.of();
    log.begin();
  }

  // ---- control

  /** Pauses a stage: its threads wait before their next step. */
  public void pause(Stage stage) {
    gates.of(stage).pause(true);
  }

  /** Lets the threads of a stage continue. */
  public void resume(Stage stage) {
    gates.of(stage).pause(false);
  }

  /** Lets one thread of a paused stage make one step. */
  public void step(Stage stage) {
    gates.of(stage).step();
  }

  /** Makes each step of a stage take that time; zero for no delay. */
  public void slow(Stage stage, Duration each) {
    gates.of(stage).slow(each);
  }

  boolean allowsControl() {
    return control;
  }

  void act(String id, Optional<String> key) throws Exception {
    Button button = buttons.get(id);
    if (button == null) {
      throw new IllegalArgumentException("there is no action \"" + id + "\": " + order);
    }
    begin(id);
    try {
      button.action.run(key);
    } finally {
      end();
    }
  }

  /** Waits for the action that runs; throws if that takes long. */
  private void begin(String id) throws InterruptedException {
    Deadline deadline = clock.deadline(LONGEST_ACTION);
    actions.lockInterruptibly();
    try {
      while (!running.isEmpty()) {
        if (!deadline.await(actions, ended)) {
          throw new IllegalStateException("the action \"" + running + "\" is still running");
        }
      }
      running = id;
    } finally {
      actions.unlock();
    }
  }

  private void end() {
    actions.lock();
    try {
      running = "";
      ended.signalAll();
    } finally {
      actions.unlock();
    }
  }

  ScenePlayer scenes() {
    return scenes;
  }

  // ---- the picture

  @Nullable Path incident() {
    return incident;
  }

  /** Returns the history of an object in each informer. */
  Map<String, Object> history(String key) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("key", key);
    List<Object> list = new ArrayList<>();
    for (InformerView<?> informer : informers) {
      List<Object> steps = informer.history(key);
      if (!steps.isEmpty()) {
        list.add(Map.of("informer", informer.name(), "steps", steps));
      }
    }
    tree.put("informers", list);
    return tree;
  }

  long steps() {
    return log.total();
  }

  Map<String, Object> tree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("run", run);
    tree.put("control", control);
    tree.put("stages", gates.tree());
    tree.put("scene", scenes.tree());
    tree.put("lease", lease);
    ServerState state = null;
    if (serverState != null) {
      try {
        state = askServer(serverState);
        tree.put("server", state.tree());
      } catch (Throwable e) {
        tree.put("server", Map.of("error", CrashLog.text(e)));
      }
    }
    ServerState there = state;
    tree.put("informers", informers.stream().<Object>map(each -> each.tree(there)).toList());
    tree.put("queues", queues.stream().<Object>map(QueueView::tree).toList());
    tree.put("log", log.tree()); // Last: no box is ahead of the steps.
    if (control) {
      tree.put("scenes", scenes.list());
      tree.put(
          "actions",
          order.stream()
              .map(id -> requireNonNull(buttons.get(id)))
              .<Object>map(
                  button ->
                      Map.of(
                          "id", button.id,
                          "text", button.text.tree(),
                          "help", button.help.tree(),
                          "on", button.action.isOn().map(String::valueOf).orElse("")))
              .toList());
    }
    return tree;
  }

  private ServerState askServer(Supplier<ServerState> supplier) {
    asking.incrementAndGet();
    try {
      return supplier.get();
    } finally {
      asking.decrementAndGet();
    }
  }

  /** Returns whether the program's function that knows the server is running. */
  boolean asksServer() {
    return asking.get() > 0;
  }

  /** Stops serving the page, ends the scene that plays, and lets all stages continue. */
  @Override
  public void close() {
    gates.close();
    server.close();
    try {
      scenes.stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException e) {
      LOG.log(Level.WARNING, "A scene still runs after the live view was closed", e);
    }
  }

  /** Builds a {@link LiveView}. Not safe for use by many threads. */
  public static final class Builder {

    private int port;
    private boolean control;
    private Clock clock = Clock.system();
    private @Nullable Path incident;
    private @Nullable Supplier<ServerState> serverState;
    private final Map<String, Button> buttons = new LinkedHashMap<>();
    private final List<Scene> scenes = new ArrayList<>();

    private Builder() {}

    /** Sets the port. Default: 0, a free one. */
    public Builder port(int port) {
      this.port = port;
      return this;
    }

    /**
     * Lets users of the page pause, slow down and step stages, run actions and play scenes.
     * Default: they can only look.
     */
    public Builder allowControl() {
      this.control = true;
      return this;
    }

    /**
     * Adds a button to the page.
     *
     * @param id a short name; the page runs {@code reset} when its reader ends a scene, too
     * @param help what the button does
     * @throws IllegalArgumentException if there is one of that name
     */
    public Builder action(String id, Text text, Text help, Action action) {
      if (buttons.put(id, new Button(id, text, help, requireNonNull(action, "action"))) != null) {
        throw new IllegalArgumentException("there are two actions \"" + id + "\"");
      }
      return this;
    }

    /** Adds a scene. */
    public Builder scene(Scene scene) {
      scenes.add(requireNonNull(scene, "scene"));
      return this;
    }

    /**
     * Opens a file at the page {@code incident}: a recording of controller-runtime's {@code
     * IncidentRecorder}. Every user of this machine can read it there. Default: none; then the page
     * opens only files that its user chooses, and they stay in the browser.
     */
    public Builder incident(Path file) {
      this.incident = requireNonNull(file, "file");
      return this;
    }

    /**
     * Shows the objects of the server beside those of the store, and how far the store is behind;
     * for a program whose informers are all of one type. Called for each picture, so it must be
     * quick. If it throws, the page shows the error; if it hangs, the page shows the last picture
     * and how old that is. Default: the page shows only what the Reflector has received.
     */
    public Builder server(Supplier<ServerState> state) {
      this.serverState = requireNonNull(state, "state");
      return this;
    }

    /** Sets the clock. Default: the system's. */
    public Builder clock(Clock clock) {
      this.clock = requireNonNull(clock, "clock");
      return this;
    }

    /**
     * Starts to serve the page.
     *
     * @throws IllegalStateException if the port is taken
     */
    public LiveView start() {
      return new LiveView(this);
    }
  }

  /** Does what a button of the page asks for. Called by one thread at a time. */
  @FunctionalInterface
  public interface Action {

    /**
     * Runs the action.
     *
     * @param key the key of the object that is selected on the page, if any
     * @throws Exception if it fails; the page shows the message
     */
    void run(Optional<String> key) throws Exception;

    /** Returns whether what the button switches is on. Default: empty, it switches nothing. */
    default Optional<Boolean> isOn() {
      return Optional.empty();
    }
  }
}
