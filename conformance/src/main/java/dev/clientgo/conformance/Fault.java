package dev.clientgo.conformance;

import java.util.Locale;
import java.util.Map;

/** What the server does with the next requests of one kind. */
final class Fault {

  /** The kinds of requests. */
  enum Target {
    /** Reads the whole collection: a list, its first page, or a streaming list. */
    LIST,
    /** A watch with initial events; also counted as a list. */
    STREAMING_LIST,
    /** A further page of a list. */
    PAGE,
    /** Follows changes. */
    WATCH;

    /** Returns the target of a word such as {@code lists}. */
    static Target of(String word) {
      String singular = word.equals("watches") ? "watch" : word.replaceFirst("s$", "");
      return valueOf(singular.replace('-', '_').toUpperCase(Locale.ROOT));
    }
  }

  static final Fault NONE = new Fault(Target.LIST, 0, "none", 0, Map.of());

  private final Target target;
  private final String kind;
  private final int number;
  private final Map<String, String> headers;
  private int times;

  private Fault(Target target, int times, String kind, int number, Map<String, String> headers) {
    this.target = target;
    this.times = times;
    this.kind = kind;
    this.number = number;
    this.headers = headers;
  }

  /** Reads a fault such as {@code status 429 retry-after 1}. */
  static Fault parse(Target target, int times, String text) {
    String[] words = text.split(" ", -1);
    int number = words.length > 1 ? Integer.parseInt(words[1]) : 0;
    Map<String, String> headers = words.length > 3 ? Map.of("Retry-After", words[3]) : Map.of();
    return new Fault(target, times, words[0], number, headers);
  }

  /** Counts a request, and returns whether the fault applies to it. */
  boolean take() {
    return times-- > 0;
  }

  Target target() {
    return target;
  }

  String kind() {
    return kind;
  }

  boolean isKind(String other) {
    return kind.equals(other);
  }

  int number() {
    return number;
  }

  /** Returns the status to answer with, or 0. */
  int status() {
    return isKind("status") ? number : 0;
  }

  /** Returns whether it happens to a watch that has begun. */
  boolean breaksStreams() {
    return status() == 0 && !isKind("html");
  }

  Map<String, String> headers() {
    return headers;
  }
}
