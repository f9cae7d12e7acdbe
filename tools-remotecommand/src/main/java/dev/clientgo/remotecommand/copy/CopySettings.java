package dev.clientgo.remotecommand.copy;

import dev.clientgo.clock.Clock;
import dev.clientgo.remotecommand.RemoteCommand;
import dev.clientgo.rest.RESTClient;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The pod and the options of a copy; changed only before they belong to a {@link PodCopy}. */
final class CopySettings {

  private final RESTClient client;
  private final String namespace;
  private final String pod;
  @Nullable String container;
  SymbolicLinks links = SymbolicLinks.KEEP;
  int retries;
  boolean keepsAttributes = true;
  Consumer<? super CopyProgress> listener = progress -> {};
  Clock clock = Clock.system();

  CopySettings(RESTClient client, String namespace, String pod) {
    this.client = client;
    this.namespace = namespace;
    this.pod = pod;
  }

  CopySettings with(Consumer<CopySettings> change) {
    CopySettings changed = new CopySettings(client, namespace, pod);
    changed.container = container;
    changed.links = links;
    changed.retries = retries;
    changed.keepsAttributes = keepsAttributes;
    changed.listener = listener;
    changed.clock = clock;
    change.accept(changed);
    return changed;
  }

  /** Returns a program to run in the container. */
  RemoteCommand command(String... words) {
    RemoteCommand command = RemoteCommand.exec(client, namespace, pod, words);
    return container == null ? command : command.inContainer(container);
  }

  Retries retries() {
    return new Retries(retries, clock);
  }

  Progress progress() {
    return new Progress(listener);
  }

  /** Returns the pod. */
  @Override
  public String toString() {
    return namespace + "/" + pod;
  }
}
