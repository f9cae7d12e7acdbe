package dev.clientgo.liveview;

import java.util.List;
import java.util.Set;

/**
 * A lesson that plays on the page: steps that cause something and explain it.
 *
 * @param id a short name for the address of the scene
 * @param title the title
 * @param steps the steps, in order
 */
public record Scene(String id, Text title, List<Step> steps) {

  /** Copies the steps. */
  public Scene {
    steps = List.copyOf(steps);
  }

  /**
   * A step of a scene. The page shows the text when the body has returned.
   *
   * @param text explains what there is to see
   * @param about the parts of the picture that the text explains; the page highlights them
   * @param body causes it, and waits until it has happened
   */
  public record Step(Text text, Set<Part> about, Body body) {

    /** Copies the parts. */
    public Step {
      about = Set.copyOf(about);
    }

    /** Creates a step that highlights nothing. */
    public Step(Text text, Body body) {
      this(text, Set.of(), body);
    }
  }

  /** The part of a step that causes something. */
  @FunctionalInterface
  public interface Body {

    /**
     * Runs the step.
     *
     * @throws Exception if it fails; the page shows the message, and the scene ends
     */
    void run() throws Exception;
  }
}
