package dev.clientgo.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.yaml.YamlReader;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples of {@code docs/manifests.md}, which are compiled here. */
final class ManifestsPageTest {

  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  static void apply(RESTClient client) throws InterruptedException {
    ApplyReport report =
        Apply.with(client, "my-installer")
            .inNamespace("web")
            .awaitReady(Duration.ofMinutes(2))
            .run(Manifests.read(Path.of("deploy")));
    report.results().forEach(System.out::println); // deployment.apps/web created
    report.orThrow();
  }

  static Manifests sources(ConfigMap settings) {
    Manifests manifests =
        Manifests.readRecursively(Path.of("deploy"))
            .and(Manifests.read(System.in, "standard input"))
            .and(Manifests.of(ConfigMap.TYPE, List.of(settings)));
    return manifests;
  }

  static List<?> load(RESTClient client, InputStream stream, String text)
      throws InterruptedException {
    Manifests loaded = Manifests.read(stream, "deploy.yaml");
    Apply.with(client, "my-installer").run(loaded).orThrow();

    List<Deployment> typed = loaded.objects(Deployment.TYPE);
    List<Unstructured> all = loaded.objects();
    Deployment one = YamlReader.of("deploy.yaml").read(text, Deployment.CODEC).get(0);
    ApplyReport checked = Apply.with(client, "my-installer").dryRun().run(loaded);
    return List.of(typed, all, one, checked);
  }

  static void prune(RESTClient client, Manifests manifests) throws InterruptedException {
    Apply apply = Apply.with(client, "my-installer").prune(Selector.parse("app=web"));
    System.out.println(apply.dryRun().run(manifests));
    apply.run(manifests).orThrow();
    Delete.with(client).awaitGone(Duration.ofMinutes(1)).run(manifests);
  }

  static void await(RESTClient client) throws InterruptedException, TimeoutException {
    ResourceClient<Pod> pods = client.resource(Pod.TYPE).inNamespace("web");
    Wait.forCondition("Ready").timeout(Duration.ofMinutes(1)).on(pods, "web-0");
    Wait.parse("jsonpath='{.status.phase}'=Running").on(pods, "web-0");
    Wait.forDelete().on(pods, "web-0");
    Wait.until(pods, "web-1", pod -> pod.status().podIP() != null, Duration.ofSeconds(30));
  }

  static void rollOut(RESTClient client) throws InterruptedException, TimeoutException {
    ResourceClient<Deployment> deployments = client.resource(Deployment.TYPE).inNamespace("web");
    Rollout.restart(deployments, "web");
    Rollout.await(deployments, "web", Duration.ofMinutes(5));
    Rollout.history(deployments, "web").forEach(System.out::println); // 3 set image to nginx:1.29
    Rollout.undo(deployments, "web");
    Scaler.of(deployments).scale("web", 5);
  }

  static void drain(RESTClient client) throws InterruptedException {
    Drain drain = Drain.with(client).ignoreDaemonSets().timeout(Duration.ofMinutes(10));
    drain.drain("node-1").forEach(System.out::println); // default/web-0 evicted
    drain.uncordon("node-1");
  }

  @Test
  void examples_areThoseOfThisClass() throws IOException {
    String here =
        squeezed(
            Files.readString(Path.of("src/test/java/dev/clientgo/kubectl/ManifestsPageTest.java")));
    Matcher examples = EXAMPLE.matcher(Files.readString(Path.of("../docs/manifests.md")));
    int count = 0;
    while (examples.find()) {
      assertThat(here).contains(squeezed(examples.group(1)));
      count++;
    }

    assertThat(count).isEqualTo(8);
  }

  private static String squeezed(String code) {
    return code.replaceAll("\\s+", "");
  }
}
