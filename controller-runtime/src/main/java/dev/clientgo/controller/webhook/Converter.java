package dev.clientgo.controller.webhook;

import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.unstructured.Unstructured;

/**
 * Converts objects of one kind between its versions, as trees.
 *
 * <p>{@link Conversion#hub} makes one of typed functions. A conversion must keep all information:
 * an object that is converted to another version and back must be equal. Corresponds to
 * controller-runtime's {@code conversion.Converter}.
 */
@FunctionalInterface
public interface Converter {

  /**
   * Returns the object in another version of its kind. It may change labels and annotations, but
   * not the rest of the metadata; missing metadata is restored.
   *
   * @param object an object in a version other than {@code desired}
   * @throws Exception if the object cannot be converted; the user sees the message
   */
  Unstructured convert(Unstructured object, GroupVersion desired) throws Exception;
}
