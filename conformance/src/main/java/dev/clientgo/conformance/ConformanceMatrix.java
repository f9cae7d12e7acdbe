package dev.clientgo.conformance;

import dev.clientgo.conformance.ScriptRun.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs scripts with several clients, and writes the results and the page. */
public final class ConformanceMatrix {

  /** How many quick scripts run at the same time; they mostly wait. */
  private static final int THREADS = 6;

  private ConformanceMatrix() {}

  /**
   * Runs scripts in the folder of the module.
   *
   * @param args {@code page}, which only writes the page; or the name of a script or {@code all},
   *     and for each client its name, its version and its command
   */
  public static void main(String[] args)
      throws IOException, InterruptedException, ExecutionException {
    if (!args[0].equals("page")) {
      Map<String, Client.Launcher> clients = new LinkedHashMap<>();
      Map<String, String> versions = new LinkedHashMap<>();
      for (int i = 1; i < args.length; i += 3) {
        List<String> command = List.of(args[i + 2].split(" ", -1));
        versions.put(args[i], args[i + 1]);
        clients.put(args[i], (arguments, lines) -> new ClientProcess(command, arguments, lines));
      }
      boolean all = args[0].equals("all");
      List<Script> scripts =
          Script.readAll().stream().filter(script -> all || script.name().equals(args[0])).toList();
      Map<List<String>, Result> results = run(scripts, clients);
      if (!all) {
        return;
      }
      new Results(versions, results).write();
    }
    Files.writeString(ConformancePage.FILE, ConformancePage.write(Results.read()));
  }

  /** Returns the results by the names of script and client. */
  private static Map<List<String>, Result> run(
      List<Script> scripts, Map<String, Client.Launcher> clients)
      throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS + clients.size());
    List<Script> slowFirst = new ArrayList<>(scripts);
    slowFirst.sort(Comparator.comparing(script -> !script.isSlow()));
    Map<List<String>, Future<Result>> running = new LinkedHashMap<>();
    for (Script script : slowFirst) {
      clients.forEach(
          (name, launcher) ->
              running.put(
                  List.of(script.name(), name), threads.submit(() -> run(script, name, launcher))));
    }
    Map<List<String>, Result> results = new LinkedHashMap<>();
    for (Map.Entry<List<String>, Future<Result>> entry : running.entrySet()) {
      results.put(entry.getKey(), entry.getValue().get());
    }
    threads.shutdown();
    return results;
  }

  private static Result run(Script script, String name, Client.Launcher launcher)
      throws IOException, InterruptedException {
    Result result = ScriptRun.run(script, launcher);
    System.out.println(script.name() + "\t" + name + "\t" + result);
    return result;
  }
}
