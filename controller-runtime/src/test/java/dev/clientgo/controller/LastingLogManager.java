package dev.clientgo.controller;

import java.util.logging.LogManager;

/** Lets a test see what a program logs after SIGTERM, as docs/controllers.md shows. */
public final class LastingLogManager extends LogManager {
  @Override
  public void reset() {} // The JDK calls it as soon as the JVM shuts down.
}
