package dev.clientgo.controller.internal.cache;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.cache.IndexReader;
import java.util.List;

/**
 * A cache that answers all reads but those of one object from {@link #snapshot}.
 *
 * @param <T> the type of the objects
 */
abstract class SnapshotReader<T extends KubernetesObject> implements IndexReader<T> {

  @Override
  public final List<T> list() {
    return snapshot().list();
  }

  @Override
  public final List<String> listKeys() {
    return snapshot().listKeys();
  }

  @Override
  public final List<T> index(String indexName, T object) {
    return snapshot().index(indexName, object);
  }

  @Override
  public final List<T> byIndex(String indexName, String indexedValue) {
    return snapshot().byIndex(indexName, indexedValue);
  }

  @Override
  public final List<String> indexKeys(String indexName, String indexedValue) {
    return snapshot().indexKeys(indexName, indexedValue);
  }

  @Override
  public final List<String> listIndexFuncValues(String indexName) {
    return snapshot().listIndexFuncValues(indexName);
  }
}
