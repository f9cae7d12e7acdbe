package dev.clientgo.kubernetes;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The objects of this JVM that are reachable, as {@code jcmd PID GC.class_histogram} counts them.
 *
 * @param bytes the bytes of the objects of each class
 */
record LiveObjects(Map<String, Long> bytes) {

  /** Differences that the machinery of a test makes, such as its threads and its messages. */
  private static final long NOISE = 4_000;

  /** Collects garbage, and counts the rest. */
  static LiveObjects count() {
    String table;
    try {
      Object[] noArguments = {new String[0]};
      table =
          (String)
              ManagementFactory.getPlatformMBeanServer()
                  .invoke(
                      new ObjectName("com.sun.management:type=DiagnosticCommand"),
                      "gcClassHistogram",
                      noArguments,
                      new String[] {String[].class.getName()});
    } catch (JMException e) {
      throw new AssertionError("this JVM has no class histogram", e);
    }
    Map<String, Long> bytes = new TreeMap<>();
    for (String line : table.split("\n", -1)) {
      String[] columns = line.strip().split("\\s+", -1); // number, instances, bytes, class, module
      if (columns.length >= 4 && columns[0].endsWith(":")) {
        bytes.merge(columns[3], Long.parseLong(columns[2]), Long::sum);
      }
    }
    return new LiveObjects(bytes);
  }

  /** Returns how many bytes more these objects have than others, by class. */
  Map<String, Long> since(LiveObjects before) {
    Map<String, Long> more = new TreeMap<>();
    bytes.forEach(
        (name, now) -> {
          long difference = now - before.bytes.getOrDefault(name, 0L);
          if (Math.abs(difference) > NOISE) {
            more.put(name, difference);
          }
        });
    return more;
  }

  /** Returns how many bytes more these objects have than others, of classes that matter. */
  long bytesSince(LiveObjects before) {
    return since(before).values().stream().mapToLong(difference -> difference).sum();
  }
}
