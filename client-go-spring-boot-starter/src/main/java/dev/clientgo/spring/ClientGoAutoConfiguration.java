package dev.clientgo.spring;

import dev.clientgo.cache.Lister;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.ManagerBuilder;
import dev.clientgo.controller.micrometer.MicrometerMetrics;
import dev.clientgo.kubernetes.InformerFactory;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the beans. Each steps back if the application has one of its type. */
@AutoConfiguration
@EnableConfigurationProperties(ClientGoProperties.class)
public class ClientGoAutoConfiguration {

  /** Creates an instance, as Spring does. */
  public ClientGoAutoConfiguration() {}

  /** Returns where the server is, and as whom to call it. */
  @Bean
  @ConditionalOnMissingBean({RestConfig.class, RESTClient.class})
  public RestConfig clientGoRestConfig(ClientGoProperties properties) {
    KubeConfigLoader.Builder loader = KubeConfigLoader.builder();
    if (properties.kubeconfig() != null) {
      loader.file(properties.kubeconfig());
    }
    if (properties.context() != null) {
      loader.context(properties.context());
    }
    return loader.build().load();
  }

  /** Returns a client, which is closed last. */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  public RESTClient clientGoClient(RestConfig config) {
    return RESTClient.create(config);
  }

  /** Returns informers, which run from the start to the end of the application. */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  public InformerFactory clientGoInformers(RESTClient client) {
    return InformerFactory.create(client);
  }

  /** Returns the manager of all beans of type {@link Controller}, without them. */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  public Manager clientGoManager(
      RESTClient client,
      ClientGoProperties properties,
      ObjectProvider<MeterRegistry> meters,
      ObjectProvider<ManagerBuilderCustomizer> customizers) {
    ManagerBuilder builder = Manager.builder(client).maxStaleness(properties.maxStaleness());
    if (!properties.namespaces().isEmpty()) { // To a manager, an empty list is no namespace.
      builder.inNamespaces(properties.namespaces().toArray(String[]::new));
    }
    String lease = properties.leaderElection().name();
    if (lease != null) {
      String namespace = properties.leaderElection().namespace();
      builder.leaderElection(
          LeaseLock.of(namespace == null ? client.config().namespace() : namespace, lease));
    }
    meters.ifAvailable(registry -> builder.metrics(MicrometerMetrics.of(registry)));
    customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
    return builder.build();
  }

  @Bean
  ClientGoLifecycle clientGoLifecycle(
      InformerFactory informers,
      Manager manager,
      ObjectProvider<Controller> controllers,
      ClientGoProperties properties,
      ApplicationContext context) {
    ApplicationContext parent = context.getParent();
    if (parent != null
        && parent.getBeanProvider(ClientGoLifecycle.class).getIfAvailable() != null) {
      throw new IllegalStateException(
          "a parent of this context runs its informers and controllers already: exclude"
              + " ClientGoAutoConfiguration from one of them");
    }
    return new ClientGoLifecycle(informers, manager, controllers, properties, context);
  }

  /** A lazy application makes these at the start, too: a later informer does not run. */
  @Bean
  static LazyInitializationExcludeFilter clientGoNotLazy() {
    return LazyInitializationExcludeFilter.forBeanTypes(Lister.class, SharedIndexInformer.class);
  }

  /** With the actuator: the health of informers and controllers. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(HealthIndicator.class)
  static class Health {

    @Bean
    @ConditionalOnMissingBean(name = "clientGoHealthIndicator")
    ClientGoHealthIndicator clientGoHealthIndicator(
        Manager manager, InformerFactory informers, ClientGoProperties properties) {
      return new ClientGoHealthIndicator(manager, informers, properties.maxStaleness());
    }
  }
}
