package dev.clientgo.benchmarks.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Says on what a benchmark ran. */
public final class Machine {

  private Machine() {}

  /** Returns what there is to know, by what it is. */
  public static Map<String, String> describe() {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("processor", processor());
    facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("memory", (system.getTotalMemorySize() >> 20) + " MB");
    facts.put("load before", String.format(Locale.ROOT, "%.1f", system.getSystemLoadAverage()));
    facts.put("system", property("os.name") + " " + property("os.version"));
    facts.put("JVM", property("java.vm.name") + " " + property("java.vm.version"));
    return facts;
  }

  private static String processor() {
    try {
      return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(property("os.arch"));
    } catch (IOException e) {
      return property("os.arch");
    }
  }

  private static String property(String name) {
    return System.getProperty(name, "unknown");
  }
}
