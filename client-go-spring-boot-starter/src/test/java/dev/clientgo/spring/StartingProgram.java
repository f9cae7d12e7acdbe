package dev.clientgo.spring;

import dev.clientgo.cache.Lister;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.InformerFactory;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import java.time.Duration;
import org.springframework.boot.ExitCodeEvent;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;

/** An application with a lister and a controller, whose caches the server does not fill. */
@ImportAutoConfiguration(ClientGoAutoConfiguration.class)
class StartingProgram {

  public static void main(String[] arguments) {
    SpringApplication.run(StartingProgram.class, arguments);
  }

  @Bean
  Lister<ConfigMap> configMaps(InformerFactory informers) {
    return informers.core().v1().configMaps().lister();
  }

  @Bean
  Controller secrets() {
    return Controller.builder((request, context) -> Result.done())
        .forKind(Secret.TYPE)
        .cacheSyncTimeout(Duration.ofSeconds(1))
        .build();
  }

  @EventListener
  void exit(ExitCodeEvent event) {
    System.exit(event.getExitCode());
  }
}
