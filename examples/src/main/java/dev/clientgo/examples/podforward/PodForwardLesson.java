package dev.clientgo.examples.podforward;

import dev.clientgo.envtest.kubelet.PortProgram;
import dev.clientgo.envtest.traffic.CuttingProxy;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.Lesson;
import dev.clientgo.examples.lesson.LessonException;
import dev.clientgo.examples.lesson.RunningPod;
import dev.clientgo.remotecommand.logs.LogLines;
import dev.clientgo.remotecommand.logs.PodLogs;
import dev.clientgo.remotecommand.portforward.ForwardedPort;
import dev.clientgo.remotecommand.portforward.PortForward;
import dev.clientgo.remotecommand.portforward.PortForwarder;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.concurrent.TimeoutException;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The lesson of ports. */
@Command(
    name = "pod-forward",
    description =
        "Connects to a web server in a pod: without a local port, through a local port, and again"
            + " after the connections broke. Takes a pod of your cluster, or creates"
            + " one.")
public final class PodForwardLesson extends Lesson {

  @Option(
      names = {"-n", "--namespace"},
      description = "The namespace of the pod; default by default.")
  private String namespace = "default";

  @Option(
      names = {"--port"},
      description = "The port of the web server in your pod; 80 by default.")
  private int port = 80;

  @Parameters(paramLabel = "POD", arity = "0..1", description = "The pod.")
  private @Nullable String pod;

  /** The command line parser calls this. */
  public PodForwardLesson() {}

  @Override
  protected void run(Cluster cluster, RESTClient client, PrintWriter out)
      throws IOException, InterruptedException, TimeoutException {
    try (RunningPod running =
        RunningPod.require(cluster, client, namespace, pod, HelloServer.command())) {
      int served = pod == null ? servedPort(cluster, client, running.name()) : port;
      forward(cluster, running.name(), served, out);
    }
  }

  private void forward(Cluster cluster, String name, int served, PrintWriter out)
      throws IOException, InterruptedException {
    try (CuttingProxy proxy = CuttingProxy.to(cluster.config().server());
        RESTClient shaky = RESTClient.create(cluster.config(proxy))) {
      PortForward forward =
          PortForward.toPod(shaky, namespace, name).withListener(new Printer(out));
      withoutALocalPort(forward, served, out);
      throughALocalPort(forward, served, proxy, out);
      whereNothingListens(forward, out);
    }
  }

  /**
   * Waits for the port of the web server. It is any that is free, because the pods of a cluster of
   * processes share the ports of this machine.
   */
  private int servedPort(Cluster cluster, RESTClient client, String name)
      throws InterruptedException {
    try (LogLines lines = PodLogs.of(client, namespace, name).follow().lines()) {
      for (var line = lines.next(); line.isPresent(); line = lines.next()) {
        if (line.get().text().startsWith(HelloServer.SERVING)) {
          int served = Integer.parseInt(line.get().text().substring(HelloServer.SERVING.length()));
          PortProgram program = PortProgram.tcp("127.0.0.1", served);
          cluster
              .embeddedServer()
              .ifPresent(server -> server.kubelet().port(namespace, name, served, program));
          return served;
        }
      }
    }
    throw new LessonException("the web server of the pod has ended; see its log");
  }

  /** The sockets of the HTTP client lead to the pod. */
  private static void withoutALocalPort(PortForward forward, int port, PrintWriter out)
      throws IOException {
    OkHttpClient http = new OkHttpClient.Builder().socketFactory(forward.socketFactory()).build();
    out.println("without a local port: " + get(http, "http://localhost:" + port + "/direct"));
    http.connectionPool().evictAll();
  }

  /** Any program can connect to a local port, also after connections broke. */
  private static void throughALocalPort(
      PortForward forward, int port, CuttingProxy proxy, PrintWriter out)
      throws IOException, InterruptedException {
    try (PortForwarder forwarder = forward.listen(":" + port)) {
      String url = "http://localhost:" + forwarder.localPort(port);
      OkHttpClient http = new OkHttpClient();
      out.println("through a local port: " + get(http, url + "/local"));
      proxy.cut();
      out.println("(the connections broke)");
      out.println("through a new connection: " + get(http, url + "/again"));
      http.connectionPool().evictAll();
    }
  }

  private static String get(OkHttpClient http, String url) throws IOException {
    try (Response response = http.newCall(new Request.Builder().url(url).build()).execute()) {
      return response.code() + " " + response.body().string().lines().findFirst().orElse("");
    }
  }

  /** Prints why connections of the local port fail. */
  private static final class Printer implements PortForwarder.Listener {
    private final PrintWriter out;

    Printer(PrintWriter out) {
      this.out = out;
    }

    @Override
    public void failed(ForwardedPort port, SocketAddress client, Exception error) {
      out.println("(a connection failed: " + error.getClass().getSimpleName() + ")");
    }
  }

  /** The error arrives with the first read: the protocol does not tell it earlier. */
  private static void whereNothingListens(PortForward forward, PrintWriter out)
      throws IOException, InterruptedException {
    try (Socket holder = new Socket()) {
      // A port that is bound, so that other programs cannot take it, but has no listener.
      holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (Socket socket = forward.connect(holder.getLocalPort())) {
        socket.getInputStream().read();
      }
    } catch (IOException e) {
      out.println("where nothing listens: " + kind(e.getCause()));
    }
  }

  private static String kind(@Nullable Throwable error) {
    return error == null ? "an unknown error" : error.getClass().getSimpleName();
  }
}
