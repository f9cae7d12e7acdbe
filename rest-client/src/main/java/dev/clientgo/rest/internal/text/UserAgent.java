package dev.clientgo.rest.internal.text;

import java.lang.module.ModuleDescriptor;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The default {@code User-Agent}. */
public final class UserAgent {

  private static final String UNKNOWN = "unknown";

  private UserAgent() {}

  /**
   * Returns the library, the platform and the Java version: {@code clientgo-java/0.1.0
   * (linux/amd64) java/17}.
   */
  public static String standard() {
    return format(
        version(UserAgent.class),
        System.getProperty("os.name"),
        System.getProperty("os.arch"),
        System.getProperty("java.specification.version"));
  }

  /** Returns the version of the module of a class or, on the class path, of its jar. */
  public static @Nullable String version(Class<?> type) {
    ModuleDescriptor module = type.getModule().getDescriptor();
    return module == null
        ? type.getPackage().getImplementationVersion()
        : module.rawVersion().orElse(null);
  }

  public static String format(
      @Nullable String version, @Nullable String os, @Nullable String arch, @Nullable String java) {
    return "clientgo-java/"
        + release(version)
        + " ("
        + word(os)
        + "/"
        + word(arch)
        + ") java/"
        + word(java);
  }

  /** Removes the suffix of snapshots and release candidates, for the statistics of servers. */
  private static String release(@Nullable String version) {
    String word = word(version);
    int dash = word.indexOf('-');
    return dash < 0 ? word : word.substring(0, dash);
  }

  private static String word(@Nullable String value) {
    return value == null || value.isEmpty()
        ? UNKNOWN
        : value.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9._-]+", "_");
  }
}
