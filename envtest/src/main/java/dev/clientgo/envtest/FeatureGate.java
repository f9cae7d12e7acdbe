package dev.clientgo.envtest;

import java.util.List;

/** The feature gates of kube-apiserver that the embedded server has. Each is off by default. */
enum FeatureGate {
  /** The server obeys {@code drop=metadata.managedFields} of an {@code Accept} header. */
  MANAGED_FIELDS_OPT_OUT("ManagedFieldsOptOut"),
  /** The server obeys {@code shardSelector}. */
  SHARDS("ShardedListAndWatch");

  private final String upstream;

  FeatureGate(String upstream) {
    this.upstream = upstream;
  }

  /**
   * Returns a gate by its name in kube-apiserver.
   *
   * @throws IllegalArgumentException if the server does not have the gate
   */
  static FeatureGate of(String name) {
    List<FeatureGate> all = List.of(values());
    return all.stream()
        .filter(gate -> gate.upstream.equals(name))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("no feature gate " + name + "; there are " + all));
  }

  @Override
  public String toString() {
    return upstream;
  }
}
