package dev.clientgo.rest.config;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Receives the warnings in the {@code Warning} headers of responses, for example about a deprecated
 * API or an unknown field. The thread that makes the request calls it; it must not block, and must
 * be safe for use by many threads.
 *
 * <p>Corresponds to client-go's {@code rest.WarningHandler}.
 */
@FunctionalInterface
public interface WarningHandler {

  /** Ignores all warnings. Corresponds to client-go's {@code rest.NoWarnings}. */
  WarningHandler NONE = (code, agent, text) -> {};

  /**
   * Receives a warning.
   *
   * @param code the warn code; an API server sends 299
   * @param agent the sender, {@code -} if it is not named
   * @param text the warning
   */
  void handle(int code, String agent, String text);

  /** Returns the default of clients: it logs warnings of code 299 that are not empty. */
  static WarningHandler logging() {
    Logger log = System.getLogger(WarningHandler.class.getName());
    return (code, agent, text) -> {
      if (code == 299 && !text.isEmpty()) {
        log.log(Level.WARNING, text);
      }
    };
  }
}
