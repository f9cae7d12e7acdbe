package dev.clientgo.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes {@code docs/conformance.md}. */
final class ConformancePage {

  private static final Path INTRODUCTION = Path.of("page.md");

  /** Reasons, written by people: {@code SCRIPT CLIENT: REASON}, or {@code * CLIENT: REASON}. */
  private static final Path REASONS = Path.of("reasons.txt");

  private final List<Script> scripts;
  private final Map<String, String> versions;

  ConformancePage(List<Script> scripts, Map<String, String> versions) {
    this.scripts = scripts;
    this.versions = versions;
  }

  String write(Map<String, Map<String, ScriptRun.Result>> results) throws IOException {
    StringBuilder page = new StringBuilder(Files.readString(INTRODUCTION));
    page.append("\n## Results\n\n| script | ").append(String.join(" | ", versions.keySet()));
    page.append(" |\n|---|").append("---|".repeat(versions.size())).append("\n| *version* |");
    versions.values().forEach(version -> page.append(" *").append(version).append("* |"));
    page.append('\n');
    for (Script script : scripts) {
      page.append("| ").append(link(script)).append(" |");
      results.get(script.name()).values().forEach(result -> page.append(cell(result)));
      page.append('\n');
    }
    page.append("| *passed, failed, not applicable* |");
    for (String client : versions.keySet()) {
      page.append(" *");
      for (ScriptRun.Outcome outcome : ScriptRun.Outcome.values()) {
        long count =
            results.values().stream().filter(row -> row.get(client).outcome() == outcome).count();
        page.append(outcome == ScriptRun.Outcome.PASSED ? "" : ", ").append(count);
      }
      page.append("* |");
    }
    page.append("\n\n## What was seen\n");
    evidence(page, results);
    return page.toString();
  }

  private void evidence(StringBuilder page, Map<String, Map<String, ScriptRun.Result>> results)
      throws IOException {
    Map<String, String> reasons = reasons();
    for (String client : versions.keySet()) {
      page.append("\n### ").append(client).append("\n\n");
      boolean isEmpty = true;
      for (Script script : scripts) {
        ScriptRun.Result result = results.get(script.name()).get(client);
        if (result.outcome() == ScriptRun.Outcome.FAILED) {
          String reason = reasons.getOrDefault(script.name() + " " + client, "");
          page.append("- ").append(link(script)).append(": ").append(escape(result.evidence()));
          page.append(reason.isEmpty() ? "" : ".<br>" + reason).append('\n');
          isEmpty = false;
        }
      }
      page.append(isEmpty ? "Nothing failed.\n" : "");
    }
  }

  private static Map<String, String> reasons() throws IOException {
    Map<String, String> reasons = new TreeMap<>();
    for (String line : Files.readAllLines(REASONS)) {
      int colon = line.indexOf(": ");
      if (colon > 0 && !line.startsWith("#")) {
        reasons.put(line.substring(0, colon), line.substring(colon + 2));
      }
    }
    return reasons;
  }

  private static String link(Script script) {
    return "[" + script.title() + "](../conformance/scripts/" + script.name() + ".txt)";
  }

  private static String cell(ScriptRun.Result result) {
    return switch (result.outcome()) {
      case PASSED -> " ✓ |";
      case FAILED -> " ✗ |";
      case NOT_APPLICABLE -> " – |";
    };
  }

  /** Returns a program's text as one line of Markdown. */
  private static String escape(String text) {
    String line = text.replaceAll("\\s+", " ");
    String shortened = line.length() <= 300 ? line : line.substring(0, 299) + "…";
    return "`" + shortened.replace("`", "'").replaceAll("127\\.0\\.0\\.1:\\d+", "SERVER") + "`";
  }
}
