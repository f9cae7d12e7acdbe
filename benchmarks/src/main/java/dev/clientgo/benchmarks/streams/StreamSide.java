package dev.clientgo.benchmarks.streams;

import dev.clientgo.remotecommand.RemoteCommand;
import dev.clientgo.remotecommand.portforward.PortForward;
import dev.clientgo.remotecommand.portforward.PortForwarder;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.security.Security;
import java.util.Arrays;
import org.conscrypt.Conscrypt;

/** This library's side of {@link Streams}, a process that does what kubectl does. */
final class StreamSide {

  private StreamSide() {}

  /**
   * Runs {@code KUBECONFIG port-forward POD PORT} until its standard input ends, or {@code
   * KUBECONFIG exec POD COMMAND...}; with {@code -Dconscrypt=true} with its TLS.
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    if (Boolean.getBoolean("conscrypt")) {
      Security.insertProviderAt(Conscrypt.newProvider(), 1);
    }
    RestConfig config = KubeConfigLoader.builder().file(Path.of(arguments[0])).build().load();
    try (RESTClient client = RESTClient.create(config)) {
      if (arguments[1].equals("port-forward")) {
        int port = Integer.parseInt(arguments[3]);
        try (PortForwarder forwarder =
            PortForward.toPod(client, "default", arguments[2]).listen(":" + port)) {
          System.out.println(
              "Forwarding from 127.0.0.1:" + forwarder.localPort(port) + " -> " + port);
          System.in.transferTo(OutputStream.nullOutputStream());
        }
      } else {
        String[] command = Arrays.copyOfRange(arguments, 3, arguments.length);
        try (OutputStream out = new FileOutputStream(FileDescriptor.out)) {
          int exitCode =
              RemoteCommand.exec(client, "default", arguments[2], command)
                  .run(null, out, System.err);
          if (exitCode != 0) {
            throw new IOException("the command ended with exit code " + exitCode);
          }
        }
      }
    }
  }
}
