package dev.clientgo.spring;

import dev.clientgo.controller.ManagerBuilder;

/**
 * A bean that sets what the properties do not: scopes, shards, webhooks, records, an observer. It
 * is called after the properties are applied; several are called in the order of {@code @Order}.
 */
@FunctionalInterface
public interface ManagerBuilderCustomizer {

  /** Changes the builder of the manager. */
  void customize(ManagerBuilder builder);
}
