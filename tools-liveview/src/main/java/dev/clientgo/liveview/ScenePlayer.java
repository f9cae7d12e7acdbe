package dev.clientgo.liveview;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.clock.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Plays one scene at a time, in a separate thread. Safe for use by many threads. */
final class ScenePlayer {

  /** How long a step is shown before the next one, if the scene plays by itself. */
  static final Duration READING = Duration.ofSeconds(9);

  /** How long the end of a step is waited for. */
  private static final Duration LONGEST_END = Duration.ofSeconds(10);

  private final Clock clock;
  private final Map<String, Scene> scenes = new LinkedHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed;

  @GuardedBy("lock")
  private @Nullable Scene current;

  @GuardedBy("lock")
  private @Nullable Thread thread;

  /** The thread of a scene that was stopped; its step may still run. */
  @GuardedBy("lock")
  private @Nullable Thread stopped;

  @GuardedBy("lock")
  private int step;

  /** The last step that the scene may play. */
  @GuardedBy("lock")
  private int allowed;

  @GuardedBy("lock")
  private boolean auto;

  @GuardedBy("lock")
  private boolean running;

  @GuardedBy("lock")
  private String error = "";

  ScenePlayer(List<Scene> scenes, Clock clock) {
    this.clock = clock;
    changed = clock.newCondition(lock);
    scenes.forEach(scene -> this.scenes.put(scene.id(), scene));
  }

  /** Starts a scene from its first step; ends the one that plays. */
  void play(String id, boolean playsItself) throws InterruptedException {
    Scene scene = scenes.get(id);
    if (scene == null) {
      throw new IllegalArgumentException("there is no scene \"" + id + "\": " + scenes.keySet());
    }
    lock.lockInterruptibly();
    try {
      awaitStopLocked();
      current = scene;
      step = 0;
      allowed = 1;
      auto = playsItself;
      error = "";
      running = true;
      thread = DaemonThreads.named("live-view-scene-").newThread(() -> run(scene));
      thread.start();
    } finally {
      lock.unlock();
    }
  }

  /** Lets the scene play its next step, and no further by itself. */
  void next() {
    lock.lock();
    try {
      auto = false;
      allowed = Math.max(allowed, step + 1);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Lets the scene play by itself, or no longer. */
  void auto(boolean playsItself) {
    lock.lock();
    try {
      auto = playsItself;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends the scene that plays, and waits until its step has ended.
   *
   * @throws IllegalStateException if the step does not end soon
   */
  void stop() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      awaitStopLocked();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void awaitStopLocked() throws InterruptedException {
    if (thread != null) {
      stopped = thread;
      stopped.interrupt();
      thread = null;
    }
    current = null;
    Deadline deadline = clock.deadline(LONGEST_END);
    while (stopped != null || thread != null) { // Two callers may stop, and one may play then.
      if (!deadline.await(lock, changed)) {
        throw new IllegalStateException(
            "the step of the last scene has not ended within " + LONGEST_END.toSeconds() + " s");
      }
    }
  }

  private void run(Scene scene) {
    try {
      for (Scene.Step each : scene.steps()) {
        each.body().run();
        if (!awaitTurn(scene)) {
          break;
        }
      }
    } catch (InterruptedException e) {
      // Another scene begins, or the program ends.
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      failed(CrashLog.text(e));
    }
    ended();
  }

  /**
   * Shows the text of the step that has run, and waits until the next one may run. Returns false if
   * the scene was stopped.
   */
  private boolean awaitTurn(Scene scene) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      if (!playsLocked()) {
        return false;
      }
      step++;
      if (step == scene.steps().size()) {
        return true;
      }
      Deadline deadline = clock.deadline(READING);
      while (step >= allowed) {
        if (!auto) {
          changed.await();
        } else if (!deadline.await(lock, changed)) {
          allowed = step + 1;
        }
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether the calling thread plays the current scene. */
  @GuardedBy("lock")
  private boolean playsLocked() {
    return thread == Thread.currentThread();
  }

  private void failed(String failure) {
    lock.lock();
    try {
      if (playsLocked()) {
        error = failure;
      }
    } finally {
      lock.unlock();
    }
  }

  private void ended() {
    lock.lock();
    try {
      if (playsLocked()) {
        running = false;
        thread = null;
      } else if (stopped == Thread.currentThread()) {
        stopped = null;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  List<Object> list() {
    List<Object> list = new ArrayList<>();
    scenes
        .values()
        .forEach(scene -> list.add(Map.of("id", scene.id(), "title", scene.title().tree())));
    return list;
  }

  Map<String, Object> tree() {
    lock.lock();
    try {
      Map<String, Object> tree = new LinkedHashMap<>();
      if (current != null) {
        tree.put("id", current.id());
        tree.put("title", current.title().tree());
        tree.put("step", step);
        tree.put("steps", current.steps().size());
        tree.put("auto", auto);
        tree.put("running", running);
        tree.put("busy", step < allowed);
        tree.put("error", error);
        if (step > 0) {
          Scene.Step shown = current.steps().get(step - 1);
          tree.put("text", shown.text().tree());
          tree.put(
              "about",
              shown.about().stream()
                  .sorted()
                  .map(part -> part.name().toLowerCase(Locale.ROOT))
                  .toList());
        }
      }
      return tree;
    } finally {
      lock.unlock();
    }
  }
}
