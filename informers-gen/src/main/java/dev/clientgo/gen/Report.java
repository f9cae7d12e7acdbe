package dev.clientgo.gen;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
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
  private final Map<String, TreeSet<String>> reused = new TreeMap<>();
  private final Map<String, String> renamed = new TreeMap<>();
  private int files;
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
    int fields = file.root().fields().size();
    for (TypeFile.Nested nested : file.nested()) {
      fields += nested.shape() instanceof Shape.Struct struct ? struct.fields().size() : 0;
    }
    generated.add(
        new Generated(
            resource.apiVersion(),
            resource.kind(),
            file.ref().canonical(),
            1 + file.nested().size(),
            fields));
  }

  void reused(String by, String className) {
    reused.computeIfAbsent(className, key -> new TreeSet<>()).add(by);
  }

  void renamed(String from, String to) {
    renamed.put(from, to);
  }

  void files(int count) {
    files = count;
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

  /** Returns how many files were read. */
  public int files() {
    return files;
  }

  /** Returns the report as text: a table of what was generated, then everything else. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    int width = generated.stream().mapToInt(each -> each.className().length()).max().orElse(0);
    for (Generated each : generated) {
      text.append(
          String.format(
              "%-" + width + "s  %4d types %5d fields  %s%n",
              each.className(),
              each.types(),
              each.fields(),
              each.apiVersion()));
    }
    renamed.forEach(
        (from, to) -> text.append("renamed: ").append(from).append(" -> ").append(to).append('\n'));
    reused.forEach(
        (name, by) -> text.append("reused: ").append(name).append(" by ").append(by).append('\n'));
    fallbacks.forEach(each -> text.append("fallback: ").append(each).append('\n'));
    notes.forEach(each -> text.append("note: ").append(each).append('\n'));
    problems.forEach(each -> text.append("error: ").append(each).append('\n'));
    return text.append(summary()).append('\n').toString();
  }

  /** Returns the report in one line. */
  public String summary() {
    return generated.size()
        + " kinds in "
        + generated.stream().map(Generated::apiVersion).distinct().count()
        + " group versions from "
        + files
        + " files; "
        + reused.size()
        + " types reused, "
        + fallbacks.size()
        + " fallbacks, "
        + skipped
        + " other documents skipped, "
        + problems.size()
        + " errors";
  }
}
