package dev.clientgo.events;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Finds the name of this machine, which in a pod is the name of the pod. */
final class HostName {

  /** The kernel of Linux knows it without a look-up in the network. */
  private static final Path KERNEL = Path.of("/proc/sys/kernel/hostname");

  private HostName() {}

  /** Returns the name; {@code localhost} if the machine has none. */
  static String find() {
    String name = kernel();
    if (name == null) {
      name = System.getenv("HOSTNAME");
    }
    return name == null || name.isEmpty() ? resolver() : name;
  }

  private static @Nullable String kernel() {
    try {
      return Files.isReadable(KERNEL) ? Files.readString(KERNEL).trim() : null;
    } catch (IOException e) {
      return null; // Another way may work.
    }
  }

  private static String resolver() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
