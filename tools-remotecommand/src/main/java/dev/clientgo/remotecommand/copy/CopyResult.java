package dev.clientgo.remotecommand.copy;

import java.util.List;

/**
 * How a copy ended. Immutable.
 *
 * @param files how many files were copied
 * @param bytes how many bytes they have
 * @param skipped a text for each entry that was left out: links if the caller wants none, devices,
 *     pipes, sockets, and names that are not UTF-8
 * @param retries how often the connection broke and the copy went on
 */
public record CopyResult(long files, long bytes, List<String> skipped, int retries) {

  /** Copies the list. */
  public CopyResult {
    skipped = List.copyOf(skipped);
  }
}
