package dev.clientgo.rest;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Takes what a server warns of in the {@code Warning} headers of its answers: an API that will go,
 * a field that it does not know. Called by the thread that makes the request; must not block, and
 * must be safe for use by many threads.
 *
 * <p>Corresponds to client-go's {@code rest.WarningHandler}.
 */
@FunctionalInterface
public interface WarningHandler {

  /** Discards what it is told. Corresponds to client-go's {@code rest.NoWarnings}. */
  WarningHandler NONE = (code, agent, text) -> {};

  /**
   * Takes a warning.
   *
   * @param code three digits; an API server sends 299
   * @param agent who warns, {@code -} if nobody says
   * @param text what is warned of
   */
  void handle(int code, String agent, String text);

  /** Returns the one that clients have by themselves: it logs what has code 299 and a text. */
  static WarningHandler logging() {
    Logger log = System.getLogger(WarningHandler.class.getName());
    return (code, agent, text) -> {
      if (code == 299 && !text.isEmpty()) {
        log.log(Level.WARNING, text);
      }
    };
  }
}
