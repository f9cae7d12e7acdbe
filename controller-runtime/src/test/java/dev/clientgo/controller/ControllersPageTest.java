package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples of {@code docs/controllers.md}, which are compiled here with a ConfigMap as Foo. */
final class ControllersPageTest {

  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  static void run(RESTClient client, ResourceClient<ConfigMap> foos) throws InterruptedException {
    Reconciler reconciler =
        (request, context) -> {
          Optional<ConfigMap> foo = foos.inNamespace(request.namespace()).find(request.name());
          if (foo.isEmpty()) {
            return Result.done(); // It is gone, and what it owned goes with it.
          }
          return bringAbout(foo.get()) ? Result.done() : Result.requeueAfter(Duration.ofMinutes(1));
        };
    try (Manager manager = Manager.create(client)) {
      manager.add(
          Controller.builder(reconciler)
              .forKind(ConfigMap.TYPE)
              .owns(Deployment.TYPE)
              .workers(4)
              .build());
      manager.start();
      manager.awaitEnd(); // Until it is closed, or fails.
    }
  }

  private static boolean bringAbout(ConfigMap foo) {
    return foo.metadata().name() != null;
  }

  @Test
  void examples_areThoseOfThisClass() throws IOException {
    String here =
        squeezed(
            Files.readString(
                Path.of("src/test/java/dev/clientgo/controller/ControllersPageTest.java")));
    Matcher examples = EXAMPLE.matcher(Files.readString(Path.of("../docs/controllers.md")));
    int count = 0;
    while (examples.find()) {
      assertThat(here).contains(squeezed(examples.group(1).replaceAll("\\bFoo\\b", "ConfigMap")));
      count++;
    }

    assertThat(count).isEqualTo(1);
  }

  private static String squeezed(String code) {
    return code.replaceAll("\\s+", "");
  }
}
