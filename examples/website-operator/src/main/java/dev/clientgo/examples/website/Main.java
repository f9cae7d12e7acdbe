package dev.clientgo.examples.website;

import dev.clientgo.controller.Manager;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;

/** Runs the operator in a pod, or on your machine against the cluster of your kubeconfig. */
public final class Main {

  private Main() {}

  /**
   * Runs until SIGTERM. If the operator fails or no longer leads, the process ends with status 1,
   * so that its environment starts it again.
   */
  public static void main(String[] args) throws InterruptedException {
    Settings settings = Settings.of(System.getenv());
    try (RESTClient client = RESTClient.create(KubeConfigLoader.standard().load());
        Manager manager = WebsiteOperator.manager(client, settings)) {
      manager.run();
    }
  }
}
