package dev.clientgo.controller;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * How many live objects there are of each class of the library.
 *
 * @param counts by the name of the class
 */
record Histogram(Map<String, Integer> counts) {

  /** Counts after a full garbage collection, which the request for a histogram causes. */
  static Histogram take() throws JMException {
    String text =
        (String)
            ManagementFactory.getPlatformMBeanServer()
                .invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "gcClassHistogram",
                    new Object[] {new String[0]},
                    new String[] {String[].class.getName()});
    Map<String, Integer> counts = new HashMap<>();
    for (String line : text.lines().toList()) {
      String[] columns = line.trim().split("\\s+", -1); // number, instances, bytes, class, module
      if (columns.length > 3 && columns[3].startsWith("dev.clientgo.")) {
        counts.merge(columns[3], Integer.parseInt(columns[1]), Integer::sum);
      }
    }
    return new Histogram(counts);
  }

  /** The classes of which there are more objects than in {@code earlier}, and how many more. */
  Map<String, Integer> grownSince(Histogram earlier) {
    Map<String, Integer> grown = new HashMap<>();
    counts.forEach(
        (name, count) -> {
          int more = count - earlier.counts.getOrDefault(name, 0);
          if (more > 0) {
            grown.put(name, more);
          }
        });
    return grown;
  }
}
