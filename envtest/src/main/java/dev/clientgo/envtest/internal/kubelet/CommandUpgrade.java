package dev.clientgo.envtest.internal.kubelet;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.kubelet.ContainerProgram;
import dev.clientgo.envtest.kubelet.FakeKubelet;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.List;
import java.util.Optional;

/** Chooses the protocol of a command, and finds the program that it runs. */
final class CommandUpgrade {

  /** The protocols of commands over SPDY that this server speaks; the first is the newest. */
  private static final List<String> SPDY = List.of(ChannelCommand.V5, "v4.channel.k8s.io");

  private CommandUpgrade() {}

  /**
   * Returns the response that begins a command.
   *
   * @throws ApiStatusException if the request asks for no stream, or for no protocol
   */
  static Response answer(ApiRequest request, CommandRequest wanted, FakeKubelet kubelet) {
    if (!wanted.hasStreams()) {
      throw ApiStatusException.badRequest("you must specify at least 1 of stdin, stdout, stderr");
    }
    ContainerProgram program = program(kubelet, wanted);
    if (SpdyHandshake.isWanted(request)) {
      String protocol = SpdyHandshake.protocol(request, SPDY);
      return SpdyHandshake.upgrade(protocol, new SpdyCommand(wanted, program));
    }
    Optional<String> protocol = WebSocketHandshake.protocol(request, kubelet.protocols());
    return protocol.isEmpty()
        ? WebSocketHandshake.refusal()
        : WebSocketHandshake.upgrade(
            request, protocol.get(), new ChannelCommand(wanted, program, protocol.get()));
  }

  /** Returns the program of a container; without one, a program that explains how to set it. */
  private static ContainerProgram program(FakeKubelet kubelet, CommandRequest wanted) {
    return kubelet
        .program(wanted.namespace(), wanted.pod(), wanted.container())
        .orElseGet(
            () ->
                ContainerProgram.fails(
                    "the container %s of the pod %s/%s has no program: set one by kubelet().container(\"%s\", io -> …)"
                        .formatted(
                            wanted.container(),
                            wanted.namespace(),
                            wanted.pod(),
                            wanted.container())));
  }
}
