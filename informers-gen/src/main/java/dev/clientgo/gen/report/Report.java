package dev.clientgo.gen.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The results of a run of the generator: the classes that it generated and reused, the names that
 * it changed, the fields that it kept as JSON and why, and the input that it could not use.
 * Immutable.
 */
public final class Report {

  /**
   * A resource for which a class was generated.
   *
   * @param apiVersion the group and version
   * @param kind the kind
   * @param className the canonical name of the class
   * @param types how many classes its file holds, itself among them
   * @param fields how many fields they have
   */
  public record Generated(
      String apiVersion, String kind, String className, int types, int fields) {}

  private final List<Problem> problems;
  private final List<Problem> notes;
  private final List<Problem> fallbacks;
  private final List<Generated> generated;
  private final Map<String, Set<String>> reused;
  private final Map<String, String> renamed;
  private final int inputs;
  private final int skipped;

  private Report(Builder builder) {
    problems = List.copyOf(builder.problems);
    notes = List.copyOf(builder.notes);
    fallbacks = List.copyOf(builder.fallbacks);
    generated = List.copyOf(builder.generated);
    reused = Collections.unmodifiableMap(new TreeMap<>(builder.reused));
    renamed = Collections.unmodifiableMap(new TreeMap<>(builder.renamed));
    inputs = builder.inputs;
    skipped = builder.skipped;
  }

  /** Returns the problems of input for which nothing was generated. */
  public List<Problem> problems() {
    return problems;
  }

  /** Returns notes, such as versions that are not served. */
  public List<Problem> notes() {
    return notes;
  }

  /** Returns the fields that are kept as JSON, or read as a wider type, with the reasons. */
  public List<Problem> fallbacks() {
    return fallbacks;
  }

  /** Returns the resources for which classes were generated. */
  public List<Generated> generated() {
    return generated;
  }

  /** Returns how many files and texts were read. */
  public int inputs() {
    return inputs;
  }

  /** Returns the new name of each name that is not legal in Java or already used. */
  public Map<String, String> renamed() {
    return renamed;
  }

  /** Returns the existing classes that were reused, each with the classes that use it. */
  public Map<String, Set<String>> reused() {
    return reused;
  }

  /** Returns the report as a table of results, names and reasons; the last line is the summary. */
  @Override
  public String toString() {
    Table table = new Table("RESULT", "WHAT", "HOW OR WHY");
    for (Generated each : generated) {
      table.row(
          "generated",
          each.className(),
          each.apiVersion()
              + " "
              + each.kind()
              + ": "
              + count(each.types(), "type")
              + ", "
              + count(each.fields(), "field"));
    }
    reused.forEach((name, by) -> table.row("reused", name, "by " + String.join(", ", by)));
    renamed.forEach((from, to) -> table.row("renamed", from, "is " + to));
    fallbacks.forEach(each -> table.row("JSON", each.place(), each.text()));
    notes.forEach(each -> table.row("note", each.place(), each.text()));
    problems.forEach(each -> table.row("ERROR", each.place(), each.text()));
    return table + "\n" + summary() + "\n";
  }

  /** Returns the report in one line. */
  public String summary() {
    long versions = generated.stream().map(Generated::apiVersion).distinct().count();
    return "%s in %s from %s; %s reused, %s changed, %s kept as JSON or widened, %s skipped, %s"
        .formatted(
            count(generated.size(), "kind"),
            count(versions, "group version"),
            count(inputs, "input"),
            count(reused.size(), "type"),
            count(renamed.size(), "name"),
            count(fallbacks.size(), "field"),
            count(skipped, "other document"),
            count(problems.size(), "error"));
  }

  private static String count(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  /** Collects what a run of the generator does. Not safe for use by many threads. */
  public static final class Builder {

    private final List<Problem> problems = new ArrayList<>();
    private final List<Problem> notes = new ArrayList<>();
    private final List<Problem> fallbacks = new ArrayList<>();
    private final List<Generated> generated = new ArrayList<>();
    private final Map<String, Set<String>> reused = new TreeMap<>();
    private final Map<String, String> renamed = new TreeMap<>();
    private int inputs;
    private int skipped;

    /** Creates a builder of an empty report. */
    public Builder() {}

    /** Adds a problem of input that cannot be used. */
    public void problem(Problem problem) {
      problems.add(problem);
    }

    /** Returns how many problems were added. */
    public int problems() {
      return problems.size();
    }

    /** Adds a note. */
    public void note(Problem note) {
      notes.add(note);
    }

    /** Adds a field that is kept as JSON, or read as a wider type. */
    public void fallback(Problem fallback) {
      fallbacks.add(fallback);
    }

    /** Adds a resource for which a class is generated. */
    public void generated(Generated resource) {
      generated.add(resource);
    }

    /** Adds an existing class that a generated class uses. */
    public void reused(String by, String className) {
      reused.computeIfAbsent(className, key -> new TreeSet<>()).add(by);
    }

    /** Adds a name that is not legal in Java or already used. */
    public void renamed(String from, String to) {
      renamed.put(from, to);
    }

    /** Sets how many files and texts were read. */
    public void inputs(int count) {
      inputs = count;
    }

    /** Counts a document that defines nothing. */
    public void skipped() {
      skipped++;
    }

    /** Returns the report built. */
    public Report build() {
      return new Report(this);
    }
  }

  /**
   * A part of the input that the generator could not use, or used in a way that may surprise.
   *
   * @param file the file, or {@code -} if there is none
   * @param line the line, from 1; 0 if unknown
   * @param path the path in the document, such as {@code $.spec.versions[0].schema}
   * @param text what is wrong, and how the generator handled it or how the user can mend it
   */
  public record Problem(String file, int line, String path, String text) {

    /** Returns {@code file:line: path}. */
    String place() {
      return file + (line > 0 ? ":" + line : "") + (path.isEmpty() ? "" : ": " + path);
    }

    /** Returns {@code file:line: path: text}, or the text alone if it is of no file. */
    @Override
    public String toString() {
      return file.equals("-") ? text : place() + ": " + text;
    }
  }
}
