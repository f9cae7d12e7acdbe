package dev.clientgo.examples.minikubectl;

import dev.clientgo.apimachinery.errors.NoMatchException;
import dev.clientgo.apimachinery.meta.GoDuration;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.meta.table.TablePrinter;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.kubectl.Apply;
import dev.clientgo.kubectl.Manifests;
import dev.clientgo.kubectl.Rollout;
import dev.clientgo.kubectl.Scaler;
import dev.clientgo.kubectl.Wait;
import dev.clientgo.remotecommand.logs.LogLines;
import dev.clientgo.remotecommand.logs.PodLogs;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.discovery.ShortcutExpander;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A small kubectl, with the output, the errors and the exit status of the real one. */
@Command
record MiniKubectl(RESTClient client, PrintWriter out, PrintWriter err) {

  /** How each verb is called. */
  private static final String HELP =
      """
      apply -f FILE
      delete TYPE/NAME
      get TYPE[/NAME] [-A] [-l SELECTOR] [-o json|wide|yaml]
      help
      logs POD [-c NAME]
      rollout restart TYPE/NAME
      rollout status TYPE/NAME [--timeout TIME]
      scale TYPE/NAME --replicas N
      wait TYPE/NAME --for CONDITION [--timeout TIME]
      """;

  private static final Map<String, String> DONE =
      Map.of("wait", " condition met", "scale", " scaled", "rollout restart", " restarted");

  static int run(RESTClient client, PrintWriter out, PrintWriter err, String... args) {
    MiniKubectl kubectl = new MiniKubectl(client, out, err);
    return new CommandLine(kubectl)
        .setErr(err)
        .setExecutionExceptionHandler((error, line, given) -> kubectl.report(error))
        .execute(Stream.concat(Stream.of("kubectl"), Stream.of(args)).toArray(String[]::new));
  }

  private int report(Exception error) {
    String type =
        error instanceof NoMatchException ? "the server doesn't have a resource type: " : "";
    err.println(
        error instanceof ApiStatusException status
            ? "Error from server (" + status.reason() + "): " + status.getMessage()
            : "error: " + type + error.getMessage());
    return 1;
  }

  @Command(exitCodeOnInvalidInput = 1)
  int kubectl(
      @Parameters(arity = "0..*") @Nullable List<String> given,
      @Option(names = {"-h", "--help"}) boolean help,
      @Option(names = {"-n", "--namespace"}) @Nullable String chosen,
      @Option(names = {"-A", "--all-namespaces"}) boolean everywhere,
      @Option(names = {"-l", "--selector"}) @Nullable String selector,
      @Option(names = {"-o", "--output"}) @Nullable String output,
      @Option(names = {"-f", "--filename"}) @Nullable String file,
      @Option(names = {"-c", "--container"}) @Nullable String container,
      @Option(names = "--for") @Nullable String condition,
      @Option(names = "--replicas") @Nullable Integer size,
      @Option(names = "--timeout") @Nullable String timeout)
      throws InterruptedException, TimeoutException {
    List<String> words = given == null || help ? List.of("help") : given;
    int verbs = words.get(0).equals("rollout") && words.size() > 1 ? 2 : 1;
    String verb = String.join(" ", words.subList(0, verbs));
    String usage =
        HELP.lines().filter(line -> (line + " ").startsWith(verb + " ")).findFirst().orElse("");
    if (usage.isEmpty()) {
      throw new IllegalArgumentException(
          "unknown command \"" + String.join(" ", words) + "\"; there are\n" + HELP.strip());
    }
    if (verb.equals("help")) {
      out.print(HELP);
      return 0;
    }
    String namespace = chosen == null ? client.config().namespace() : chosen;
    if (verb.equals("apply")) {
      String source = Objects.requireNonNull(file, "name the file: " + usage);
      boolean piped = source.equals("-");
      var wanted = piped ? Manifests.read(System.in, "stdin") : Manifests.read(Path.of(source));
      var report = Apply.with(client, "kubectl").inNamespace(namespace).run(wanted);
      report.results().forEach(each -> (each.error() == null ? out : err).println(each));
      return report.failures().isEmpty() ? 0 : 1;
    }
    if (verb.equals("logs")) {
      String pod = String.join("/", words).replaceFirst("^logs/?((po|pods?)/)?", "");
      if (pod.isEmpty() || pod.contains("/") || file != null) {
        throw new IllegalArgumentException("logs prints the log of one pod until now: " + usage);
      }
      PodLogs log = PodLogs.of(client, namespace, pod);
      try (LogLines lines = (container == null ? log : log.inContainer(container)).lines()) {
        lines.forEach(line -> out.println(line.text()));
      }
      return 0;
    }
    String[] target = String.join("/", words).substring(verb.length()).split("/", -1);
    if (target.length < (verb.equals("get") ? 2 : 3)) {
      throw new IllegalArgumentException("name the object: " + usage);
    }
    String name = target.length > 2 ? target[2] : "";
    var type = ShortcutExpander.of(client).find(target[1]);
    var kind = type.kind().groupKind().toString().toLowerCase(Locale.ROOT);
    boolean all = everywhere || !type.isNamespaced();
    var objects = all ? client.dynamic(type) : client.dynamic(type).inNamespace(namespace);
    var tables = all ? client.table(type) : client.table(type).inNamespace(namespace);
    var which = ListOptions.builder().labelSelector(selector).build();
    var limit = GoDuration.parse(timeout == null ? "30s" : timeout).toDuration();
    switch (output == null || !verb.equals("get") ? verb : verb + " " + output) {
      case "get", "get wide" -> {
        var table = name.isEmpty() ? tables.list(which) : tables.get(name);
        var printer = output == null ? TablePrinter.narrow() : TablePrinter.wide();
        out.print((everywhere ? printer.withNamespace() : printer).print(table));
        String in = all ? "" : " in " + namespace + " namespace.";
        err.print(table.rows().isEmpty() ? "No resources found" + in + "\n" : "");
      }
      case "get json", "get yaml" -> {
        var found = name.isEmpty() ? objects.list(which).items() : List.of(objects.get(name));
        var clean = found.stream().map(each -> each.without("metadata", "managedFields")).toList();
        var shown = name.isEmpty() ? Unstructured.list(clean) : clean.get(0);
        out.print("json".equals(output) ? shown.toPrettyJson() + "\n" : shown.toYaml());
      }
      case "delete" -> {
        objects.delete(name);
        Wait.forDelete().timeout(limit).on(objects, name);
        out.println(kind + " \"" + name + "\" deleted");
      }
      case "wait" -> Wait.parse(String.valueOf(condition)).timeout(limit).on(objects, name);
      case "scale" -> Scaler.of(objects).scale(name, Objects.requireNonNull(size, "--replicas"));
      case "rollout restart" -> Rollout.restart(objects, name);
      case "rollout status" -> out.println(Rollout.await(objects, name, limit).message());
      default ->
          throw new IllegalArgumentException(
              "unknown output \"" + output + "\"; there are json, wide and yaml");
    }
    out.print(DONE.containsKey(verb) ? kind + "/" + name + DONE.get(verb) + "\n" : "");
    return 0;
  }
}
