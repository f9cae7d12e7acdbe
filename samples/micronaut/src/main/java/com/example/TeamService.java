package com.example;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.cache.Lister;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.InformerFactory;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.kubernetes.core.v1.Pod;
import io.micronaut.context.annotation.Factory;
import io.micronaut.http.annotation.Get;
import io.micronaut.runtime.Micronaut;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;

/** Answers which pods a team has, from a cache, and gives each namespace a config map with its team. */
@Factory
public class TeamService {

  public static void main(String[] arguments) {
    Micronaut.run(TeamService.class, arguments);
  }

  @Singleton
  Lister<Pod> pods(InformerFactory informers) {
    return informers.core().v1().pods().lister();
  }

  @Singleton
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

  @io.micronaut.http.annotation.Controller
  static class Pods {

    private final Lister<Pod> pods;

    Pods(Lister<Pod> pods) {
      this.pods = pods;
    }

    @Get("/teams/{team}/pods")
    List<String> of(String team) {
      return pods.list(Selector.parse("team=" + team)).stream()
          .map(pod -> pod.metadata().namespace() + "/" + pod.metadata().name())
          .sorted()
          .toList();
    }
  }
}
