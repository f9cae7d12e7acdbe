package dev.clientgo.controller;

/**
 * The caches that a controller needs were not filled in time. The message names the kinds, the last
 * error of each, and what to do.
 */
public final class CacheSyncException extends RuntimeException {

  private static final long serialVersionUID = 1;

  CacheSyncException(String message) {
    super(message);
  }
}
