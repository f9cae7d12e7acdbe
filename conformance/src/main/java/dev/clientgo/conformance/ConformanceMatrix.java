package dev.clientgo.conformance;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs scripts with several clients, and writes the page with the results. */
public final class ConformanceMatrix {

  /** How many clients run at the same time. */
  private static final int THREADS = 2;

  private ConformanceMatrix() {}

  /**
   * Runs the matrix in the folder of the module.
   *
   * @param args the name of a script or {@code all}, and for each client its name, its version and
   *     its command
   */
  public static void main(String[] args) throws Exception {
    List<Script> scripts =
        Script.readAll().stream()
            .filter(script -> args[0].equals("all") || args[0].equals(script.name()))
            .toList();
    Map<String, Client.Launcher> clients = new LinkedHashMap<>();
    Map<String, String> versions = new LinkedHashMap<>();
    for (int i = 1; i < args.length; i += 3) {
      List<String> command = List.of(args[i + 2].split(" "));
      versions.put(args[i], args[i + 1]);
      clients.put(args[i], (arguments, lines) -> new ClientProcess(command, arguments, lines));
    }
    Map<String, Map<String, ScriptRun.Result>> results = run(scripts, clients);
    if (args[0].equals("all")) {
      Files.writeString(Path.of("../docs/conformance.md"), new ConformancePage(scripts, versions).write(results));
    }
  }

  /** Returns the results by script and client. */
  private static Map<String, Map<String, ScriptRun.Result>> run(
      List<Script> scripts, Map<String, Client.Launcher> clients) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS + clients.size());
    Map<String, Map<String, Future<ScriptRun.Result>>> running = new LinkedHashMap<>();
    List<Script> slowFirst = new ArrayList<>(scripts);
    slowFirst.sort((left, right) -> Boolean.compare(right.isSlow(), left.isSlow()));
    for (Script script : slowFirst) {
      clients.forEach(
          (name, launcher) ->
              running
                  .computeIfAbsent(script.name(), key -> new LinkedHashMap<>())
                  .put(name, threads.submit(() -> run(script, name, launcher))));
    }
    Map<String, Map<String, ScriptRun.Result>> results = new LinkedHashMap<>();
    for (Script script : scripts) {
      Map<String, ScriptRun.Result> ofScript = new LinkedHashMap<>();
      for (String client : clients.keySet()) {
        ofScript.put(client, running.get(script.name()).get(client).get());
      }
      results.put(script.name(), ofScript);
    }
    threads.shutdown();
    return results;
  }

  private static ScriptRun.Result run(Script script, String name, Client.Launcher launcher)
      throws Exception {
    ScriptRun.Result result = ScriptRun.run(script, launcher);
    System.out.println(
        script.name() + ", " + name + ": " + result.outcome() + " " + result.evidence());
    return result;
  }
}
