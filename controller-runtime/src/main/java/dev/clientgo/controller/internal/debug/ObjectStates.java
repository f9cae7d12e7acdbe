package dev.clientgo.controller.internal.debug;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.controller.internal.diff.FieldDiff;

/**
 * The two states of an updated object. The difference is computed only if it is read: that takes
 * about as long as decoding both states from JSON.
 */
record ObjectStates<T extends KubernetesObject>(ResourceType<T> type, T before, T after) {

  FieldDiff diff() {
    return FieldDiff.between(type, before, after);
  }
}
