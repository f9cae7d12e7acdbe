package dev.clientgo.events.internal.recording;

import dev.clientgo.kubernetes.core.v1.ObjectReference;
import java.nio.charset.StandardCharsets;
import java.util.IllegalFormatException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One call of a recorder.
 *
 * @param reporter the recorder
 * @param regarding the object that the event is about
 * @param related another object, null if there is none
 * @param type {@code Normal} or {@code Warning}
 * @param reason why, as one word
 * @param action what the controller did, as one word
 * @param note the text for people
 */
public record Occurrence(
    Reporter reporter,
    ObjectReference regarding,
    @Nullable ObjectReference related,
    String type,
    String reason,
    String action,
    Note note) {

  /** The longest reason and the longest action that a server accepts, in bytes. */
  private static final int MAX_WORD = 128;

  /**
   * The recorder that was called.
   *
   * @param controller the name of the controller
   * @param instance the name of this process of the controller; empty if it has none
   * @param annotations the annotations of its events
   */
  public record Reporter(String controller, String instance, Map<String, String> annotations) {

    /** Returns the same recorder with other annotations. */
    public Reporter with(Map<String, String> annotations) {
      return new Reporter(controller, instance, Map.copyOf(annotations));
    }
  }

  /** The text for people, formatted only if it is needed: most repetitions are only counted. */
  public static final class Note {

    private final String format;
    private final @Nullable Object @Nullable [] args;

    private Note(String format, @Nullable Object @Nullable [] args) {
      this.format = format;
      this.args = args;
    }

    /** Returns a note; without arguments, the format is the text as it is. */
    public static Note of(String format, @Nullable Object @Nullable [] args) {
      return new Note(format, args);
    }

    /**
     * Returns the text.
     *
     * @throws IllegalFormatException if the arguments do not fit the format
     */
    public String text() {
      return args == null || args.length == 0 ? format : String.format(format, args);
    }

    /** Returns the format alone, for a note that cannot be formatted. */
    public String format() {
      return format;
    }
  }

  /** Returns what is wrong with this call, as the server would find; empty if nothing is. */
  public Optional<String> problem() {
    if (isEmpty(regarding.kind()) || isEmpty(regarding.name())) {
      return Optional.of(
          "the object that the event is about has no kind or no name: give the object itself, or"
              + " a reference with both");
    } else if (!type.equals("Normal") && !type.equals("Warning")) {
      return Optional.of("the type is neither Normal nor Warning");
    } else if (!isWord(reason)) {
      return Optional.of("the reason has not 1 to 128 bytes");
    } else if (!isWord(action)) {
      return Optional.of("the action has not 1 to 128 bytes");
    }
    return Optional.empty();
  }

  private static boolean isEmpty(@Nullable String text) {
    return text == null || text.isEmpty();
  }

  private static boolean isWord(String text) {
    return !text.isEmpty()
        && (text.length() * 3L <= MAX_WORD
            || text.getBytes(StandardCharsets.UTF_8).length <= MAX_WORD);
  }

  /** Returns the namespace of the event: that of the object, {@code default} if it has none. */
  String namespace() {
    String namespace = regarding.namespace();
    return namespace == null || namespace.isEmpty() ? "default" : namespace;
  }

  /** Returns the name of the object. */
  String objectName() {
    return String.valueOf(regarding.name());
  }

  /** Names this call in the log. */
  @Override
  public String toString() {
    return "the event \""
        + type
        + " "
        + reason
        + "\" of "
        + reporter.controller
        + " about "
        + regarding.kind()
        + " "
        + (isEmpty(regarding.namespace()) ? "" : regarding.namespace() + "/")
        + regarding.name();
  }
}
