package dev.clientgo.liveview;

import java.util.Optional;

/** Does what a button of the page asks for. Called by one thread at a time. */
@FunctionalInterface
public interface LiveAction {

  /**
   * Runs the action.
   *
   * @param key the key of the object that is selected on the page, if any
   * @throws Exception if it fails; the page shows the message
   */
  void run(Optional<String> key) throws Exception;
}
