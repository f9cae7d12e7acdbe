package dev.clientgo.kubernetes;

import dev.clientgo.cache.SharedInformerFactory;

/** All kinds that a server has by itself. */
abstract class BuiltInKindsContract extends ServedKindsContract {

  @Override
  Object clientset() {
    return Clientset.of(client());
  }

  @Override
  Object typed(SharedInformerFactory factory) {
    return InformerFactory.of(factory);
  }

  @Override
  boolean isGenerated(String group) {
    return !group.equals("custom.example.com");
  }
}
