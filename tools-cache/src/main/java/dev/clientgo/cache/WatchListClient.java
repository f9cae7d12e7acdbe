package dev.clientgo.cache;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;

/**
 * client-go's feature gate of that name, as it can be set from outside of a program: where a server
 * or proxy does not bear streamed lists, {@code KUBE_FEATURE_WatchListClient=false} does without.
 */
final class WatchListClient {

  static final String VARIABLE = "KUBE_FEATURE_WatchListClient";

  private static final Logger LOG = System.getLogger(WatchListClient.class.getName());

  private WatchListClient() {}

  /** Returns whether the environment has lists streamed; if it says nothing, they are. */
  static boolean isEnabled(Map<String, String> environment) {
    String value = environment.getOrDefault(VARIABLE, "true");
    return switch (value) {
      case "1", "t", "T", "true", "TRUE", "True" -> true;
      case "0", "f", "F", "false", "FALSE", "False" -> false;
      default -> {
        LOG.log(
            Level.WARNING,
            () -> VARIABLE + " should be true or false, not " + value + "; lists are streamed");
        yield true;
      }
    };
  }
}
