package dev.clientgo.spring;

import dev.clientgo.cache.Lister;
import dev.clientgo.kubernetes.InformerFactory;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** An application whose start waits for a cache that the server does not fill. */
@ImportAutoConfiguration(ClientGoAutoConfiguration.class)
class StartingProgram {

  public static void main(String[] arguments) {
    SpringApplication.run(StartingProgram.class, arguments);
  }

  @Bean
  Lister<ConfigMap> configMaps(InformerFactory informers) {
    return informers.core().v1().configMaps().lister();
  }
}
