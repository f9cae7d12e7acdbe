package dev.clientgo.apimachinery.runtime;

import java.util.Map;

/**
 * Converts a term of a field selector from the form of clients to the stored form.
 *
 * <p>Corresponds to apimachinery's {@code runtime.FieldLabelConversionFunc}.
 */
@FunctionalInterface
public interface FieldLabelConversion {

  /** Permits {@code metadata.name} and {@code metadata.namespace}, which all kinds have. */
  FieldLabelConversion METADATA_ONLY =
      (label, value) -> {
        if (label.equals("metadata.name") || label.equals("metadata.namespace")) {
          return Map.entry(label, value);
        }
        throw new IllegalArgumentException(
            "\""
                + label
                + "\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"");
      };

  /**
   * Converts a term.
   *
   * @return field and value
   * @throws IllegalArgumentException if the kind cannot be selected by that field
   */
  Map.Entry<String, String> convert(String label, String value);
}
