package dev.clientgo.benchmarks.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.benchmarks.apimachinery.PodEvents;
import java.io.ByteArrayOutputStream;

/** The objects of the server, which are made when they are sent, and spread over namespaces. */
abstract class Objects {

  private final int count;
  private final int namespaces;

  private Objects(int count, int namespaces) {
    this.count = count;
    this.namespaces = namespaces;
  }

  /** Returns pods of 5 kB, or config maps of 350 bytes. */
  static Objects of(String plural, int count, int namespaces) {
    return plural.equals("pods") ? new Pods(count, namespaces) : new ConfigMaps(count, namespaces);
  }

  int count() {
    return count;
  }

  /** Returns in which namespace an object is. */
  int namespace(int i) {
    return i % namespaces;
  }

  /** Returns the number of an object of a namespace, or of any if that is negative. */
  int inNamespace(int namespace, int i) {
    return namespace < 0 ? i % count : (i * namespaces + namespace) % count;
  }

  abstract String kind();

  abstract String plural();

  abstract String name(int i);

  /** Writes an object, with the time in an annotation if it is not zero. */
  abstract void write(ByteArrayOutputStream out, int i, long version, long time);

  static void write(ByteArrayOutputStream out, String text) {
    out.writeBytes(text.getBytes(UTF_8));
  }

  private static final class ConfigMaps extends Objects {

    ConfigMaps(int count, int namespaces) {
      super(count, namespaces);
    }

    @Override
    String kind() {
      return "ConfigMap";
    }

    @Override
    String plural() {
      return "configmaps";
    }

    @Override
    String name(int i) {
      return "settings-" + i;
    }

    @Override
    void write(ByteArrayOutputStream out, int i, long version, long time) {
      StringBuilder text = new StringBuilder(400);
      text.append("{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"")
          .append(name(i))
          .append("\",\"namespace\":\"team-")
          .append(namespace(i))
          .append("\",\"uid\":\"0b4bd6f3-8a7e-4f0e-9c6c-")
          .append(100_000_000_000L + i)
          .append("\",\"resourceVersion\":\"")
          .append(version)
          .append("\",\"creationTimestamp\":\"2026-05-04T10:11:12Z\",\"labels\":{\"app\":\"app-")
          .append(i % 50)
          .append("\"},\"annotations\":{\"bench/ts\":\"")
          .append(time)
          .append("\"}},\"data\":{\"level\":\"info\",\"number\":\"")
          .append(i)
          .append("\"}}");
      write(out, text.toString());
    }
  }

  private static final class Pods extends Objects {

    private static final String VERSION = "\"resourceVersion\":\"";
    private static final String ANNOTATIONS = "\"annotations\":{";

    private final byte[][] pods;
    private final int[] versionAt;
    private final int[] versionEnd;
    private final int[] annotationsAt;

    Pods(int count, int namespaces) {
      super(count, namespaces);
      pods = new byte[count][];
      versionAt = new int[count];
      versionEnd = new int[count];
      annotationsAt = new int[count];
      for (int i = 0; i < count; i++) {
        String pod =
            PodEvents.pod(i)
                .replaceFirst("\"name\":\"[^\"]*", "\"name\":\"" + name(i))
                .replaceFirst("\"namespace\":\"[^\"]*", "\"namespace\":\"team-" + namespace(i));
        pods[i] = pod.getBytes(UTF_8);
        versionAt[i] = pod.indexOf(VERSION) + VERSION.length();
        versionEnd[i] = pod.indexOf('"', versionAt[i]);
        annotationsAt[i] = pod.indexOf(ANNOTATIONS) + ANNOTATIONS.length();
      }
    }

    @Override
    String kind() {
      return "Pod";
    }

    @Override
    String plural() {
      return "pods";
    }

    @Override
    String name(int i) {
      return "pod-" + i;
    }

    @Override
    void write(ByteArrayOutputStream out, int i, long version, long time) {
      byte[] pod = pods[i];
      out.write(pod, 0, versionAt[i]);
      write(out, Long.toString(version));
      out.write(pod, versionEnd[i], annotationsAt[i] - versionEnd[i]);
      write(out, "\"bench/ts\":\"" + time + "\",");
      out.write(pod, annotationsAt[i], pod.length - annotationsAt[i]);
    }
  }
}
