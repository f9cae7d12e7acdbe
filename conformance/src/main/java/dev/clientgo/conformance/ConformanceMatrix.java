package dev.clientgo.conformance;

/** Placeholder. */
final class ConformanceMatrix {
  private ConformanceMatrix() {}

  public static void main(String[] args) throws Exception {
    for (Script script : Script.readAll()) {
      if (args.length > 0 && !script.name().matches(args[0])) {
        continue;
      }
      long start = System.nanoTime();
      ScriptRun.Result result =
          args.length > 1
              ? ScriptRun.run(
                  script,
                  (arguments, lines) ->
                      new ClientProcess(java.util.List.of(args[1].split(" ")), arguments, lines))
              : ScriptRun.run(script, ThisLibrary::new);
      System.out.println(
          script.name() + " " + result + " " + (System.nanoTime() - start) / 1_000_000 + " ms");
    }
  }
}
