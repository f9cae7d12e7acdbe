package dev.clientgo.rest;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Logs the warnings that have code 299 and a text. */
final class WarningLog implements WarningHandler {

  private static final Logger LOG = System.getLogger(WarningHandler.class.getName());

  @Override
  public void handle(int code, String agent, String text) {
    if (code == 299 && !text.isEmpty()) {
      LOG.log(Level.WARNING, text);
    }
  }
}
