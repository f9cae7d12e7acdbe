package dev.clientgo.gen;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a run of the generator did: what it generated and reused, what it had to rename or keep as
 * JSON and why, and what it could not use.
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

  private final List<Problem> problems = new ArrayList<>();
  private final List<Problem> notes = new ArrayList<>();
  private final List<Problem> fallbacks = new ArrayList<>();
  private final List<Generated> generated = new ArrayList<>();
  private final Map<String, Set<String>> reused = new TreeMap<>();
  private final Map<String, String> renamed = new TreeMap<>();
  private int inputs;
  private int skipped;

  Report() {}

  void problem(Problem problem) {
    problems.add(problem);
  }

  void note(Problem note) {
    notes.add(note);
  }

  void fallback(Problem fallback) {
    fallbacks.add(fallback);
  }

  void generated(TypeFile file, Resource resource) {
    int fields = fields(file.root());
    for (TypeFile.Nested nested : file.nested()) {
      fields += fields(nested.shape());
    }
    generated.add(
        new Generated(
            resource.apiVersion(),
            resource.kind(),
            file.ref().canonical(),
            1 + file.nested().size(),
            fields));
  }

  private static int fields(Shape shape) {
    return shape instanceof Shape.Struct struct ? struct.fields().size() : 0;
  }

  void reused(String by, String className) {
    reused.computeIfAbsent(className, key -> new TreeSet<>()).add(by);
  }

  void renamed(String from, String to) {
    renamed.put(from, to);
  }

  void inputs(int count) {
    inputs = count;
  }

  void skipped() {
    skipped++;
  }

  /** Returns what could not be used; nothing was generated for it. */
  public List<Problem> problems() {
    return Collections.unmodifiableList(problems);
  }

  /** Returns what is worth knowing, such as versions that are not served. */
  public List<Problem> notes() {
    return Collections.unmodifiableList(notes);
  }

  /** Returns what was kept as JSON, or read as a wider type, and why. */
  public List<Problem> fallbacks() {
    return Collections.unmodifiableList(fallbacks);
  }

  /** Returns the resources for which classes were generated. */
  public List<Generated> generated() {
    return Collections.unmodifiableList(generated);
  }

  /** Returns how many files and texts were read. */
  public int inputs() {
    return inputs;
  }

  /** Returns what was renamed, since it is no Java name or is taken: the old name and the new. */
  public Map<String, String> renamed() {
    return Collections.unmodifiableMap(renamed);
  }

  /** Returns the classes that exist and were used, and which classes use each. */
  public Map<String, Set<String>> reused() {
    return Collections.unmodifiableMap(reused);
  }

  /** Returns the report as a table: what was done, to what, and how or why; then the sum. */
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
}
