package com.example;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.cache.Lister;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.InformerFactory;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.util.List;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Answers which pods a team has, from a cache, and gives each namespace a config map with its team. */
@SpringBootApplication
public class TeamService {

  public static void main(String[] arguments) {
    SpringApplication.run(TeamService.class, arguments);
  }

  @Bean
  Lister<Pod> pods(InformerFactory informers) {
    return informers.core().v1().pods().lister();
  }

  @Bean
  Controller teams() {
    return Controller.builder(
            (request, context) -> {
              var namespace = context.client().resource(Namespace.TYPE).find(request.name());
              if (namespace.isPresent() && namespace.get().metadata().labels().containsKey("team")) {
                String team = namespace.get().metadata().labels().get("team");
                var maps = context.client().resource(ConfigMap.TYPE).inNamespace(request.name());
                if (maps.find("team").isEmpty()) {
                  maps.create(ConfigMap.of(request.name(), "team", c -> c.data(Map.of("name", team))));
                }
              }
              return Result.done();
            })
        .forKind(Namespace.TYPE)
        .build();
  }

  @RestController
  static class Pods {

    private final Lister<Pod> pods;

    Pods(Lister<Pod> pods) {
      this.pods = pods;
    }

    @GetMapping("/teams/{team}/pods")
    List<String> of(@PathVariable String team) {
      return pods.list(Selector.parse("team=" + team)).stream()
          .map(pod -> pod.metadata().namespace() + "/" + pod.metadata().name())
          .sorted()
          .toList();
    }
  }
}
