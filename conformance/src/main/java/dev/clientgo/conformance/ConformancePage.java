package dev.clientgo.conformance;

import dev.clientgo.conformance.ScriptRun.Outcome;
import dev.clientgo.conformance.ScriptRun.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes {@code docs/conformance.md} of an introduction, the results, and reasons by people. */
final class ConformancePage {

  static final Path FILE = Path.of("../docs/conformance.md");

  private static final Path INTRODUCTION = Path.of("introduction.txt");

  /** Has lines {@code SCRIPT CLIENT: REASON}. */
  private static final Path REASONS = Path.of("reasons.txt");

  private static final int LONGEST_EVIDENCE = 240;

  private ConformancePage() {}

  /** Returns the text of the page. */
  static String write(Results results) throws IOException {
    List<Script> scripts = Script.readAll();
    StringBuilder page = new StringBuilder(Files.readString(INTRODUCTION));
    page.append("\n## Results\n\n| script |");
    results.versions().keySet().forEach(client -> page.append(" ").append(client).append(" |"));
    page.append("\n|---|").append("---|".repeat(results.versions().size())).append("\n| version |");
    results.versions().values().forEach(version -> page.append(" ").append(version).append(" |"));
    page.append('\n');
    for (Script script : scripts) {
      page.append("| ").append(link(script)).append(" |");
      for (String client : results.versions().keySet()) {
        page.append(' ').append(sign(results.of(script, client))).append(" |");
      }
      page.append('\n');
    }
    page.append("| passed, failed, not applicable |");
    for (String client : results.versions().keySet()) {
      page.append(" ").append(results.count(client, Outcome.PASSED));
      page.append(", ").append(results.count(client, Outcome.FAILED));
      page.append(", ").append(results.count(client, Outcome.NOT_APPLICABLE)).append(" |");
    }
    page.append("\n\n## What was seen\n");
    appendFailures(page, scripts, results);
    return page.toString();
  }

  private static void appendFailures(StringBuilder page, List<Script> scripts, Results results)
      throws IOException {
    Map<String, String> reasons = reasons();
    for (String client : results.versions().keySet()) {
      page.append("\n### ").append(client).append("\n\n");
      if (results.count(client, Outcome.FAILED) == 0) {
        page.append("No script failed.\n");
      }
      for (Script script : scripts) {
        Result result = results.of(script, client);
        if (result.outcome() == Outcome.FAILED) {
          String reason = reasons.getOrDefault(script.name() + " " + client, "");
          page.append("- ").append(link(script)).append(": ");
          page.append(reason).append(reason.isEmpty() ? "" : "<br>Seen: ");
          page.append(code(result.evidence())).append('\n');
        }
      }
    }
  }

  private static Map<String, String> reasons() throws IOException {
    Map<String, String> reasons = new HashMap<>();
    for (String line : Files.readAllLines(REASONS)) {
      String[] parts = line.split(": ", 2);
      if (parts.length == 2) {
        reasons.put(parts[0], parts[1]);
      }
    }
    return reasons;
  }

  private static String link(Script script) {
    return "[" + script.title() + "](../conformance/scripts/" + script.name() + ".txt)";
  }

  private static String sign(Result result) {
    return switch (result.outcome()) {
      case PASSED -> "✓";
      case FAILED -> "✗";
      case NOT_APPLICABLE -> "–";
    };
  }

  /** Returns what a program has printed, as code of Markdown. */
  private static String code(String text) {
    String line = text.replace('`', '\'').replaceAll("127\\.0\\.0\\.1:\\d+", "SERVER");
    boolean fits = line.length() <= LONGEST_EVIDENCE;
    return "`" + (fits ? line : line.substring(0, LONGEST_EVIDENCE) + "…") + "`";
  }
}
