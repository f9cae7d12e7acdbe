package dev.clientgo.remotecommand.logs;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One line of the log of a container. Immutable. */
public final class LogLine {

  private final String namespace;
  private final String pod;
  private final String container;
  private final @Nullable Instant time;
  private final String text;

  LogLine(String namespace, String pod, String container, @Nullable Instant time, String text) {
    this.namespace = namespace;
    this.pod = pod;
    this.container = container;
    this.time = time;
    this.text = text;
  }

  /** Returns the namespace of the pod. */
  public String namespace() {
    return namespace;
  }

  /** Returns the name of the pod. */
  public String pod() {
    return pod;
  }

  /** Returns the name of the container; empty if the caller has not named it. */
  public String container() {
    return container;
  }

  /**
   * Returns when the container wrote the line; empty if the kubelet sent its own message instead of
   * a line.
   */
  public Optional<Instant> time() {
    return Optional.ofNullable(time);
  }

  /** Returns the line, without its end. */
  public String text() {
    return text;
  }

  /** Returns the pod, the container and the line. */
  @Override
  public String toString() {
    return pod + (container.isEmpty() ? "" : " " + container) + ": " + text;
  }
}
