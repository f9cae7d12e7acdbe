package dev.clientgo.envtest;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.apimachinery.fields.Requirement;
import dev.clientgo.envtest.Resource.Trait;
import java.util.Map;

/**
 * Which objects of a kind are asked for.
 *
 * @param labels what their labels must be
 * @param fields what some of their fields must be
 * @param defaults what fields are that an object does not have
 */
record Selection(
    dev.clientgo.apimachinery.labels.Selector labels,
    dev.clientgo.apimachinery.fields.Selector fields,
    Map<String, String> defaults) {

  private static final String NAME = "metadata.name";
  private static final String NAMESPACE = "metadata.namespace";

  /**
   * Reads what a request selects.
   *
   * @throws ApiStatusException if it makes no sense for the kind
   */
  static Selection of(ApiRequest request, Served served) {
    Selection selection;
    try {
      selection =
          new Selection(
              dev.clientgo.apimachinery.labels.Selector.parse(request.query("labelSelector")),
              dev.clientgo.apimachinery.fields.Selector.parse(request.query("fieldSelector")),
              served.version().selectableFields());
    } catch (IllegalArgumentException e) {
      throw ApiStatusException.badRequest("unable to parse requirement: " + e.getMessage());
    }
    for (Requirement requirement : selection.fields.requirements()) {
      checkField(requirement.field(), served);
    }
    return selection;
  }

  private static void checkField(String field, Served served) {
    Map<String, String> known = served.version().selectableFields();
    if (known.containsKey(field) || field.equals(NAME) || field.equals(NAMESPACE)) {
      return;
    }
    throw ApiStatusException.badRequest(
        known.isEmpty() && !served.is(Trait.CUSTOM)
            ? '"'
                + field
                + "\" is not a known field selector: only \""
                + NAME
                + "\", \""
                + NAMESPACE
                + '"'
            : "field label not supported: " + field);
  }

  boolean isEverything() {
    return labels.isEverything() && fields.isEverything();
  }

  boolean matches(Stored object) {
    return labels.matches(object.labels())
        && fields.requirements().stream().allMatch(r -> matches(r, object));
  }

  private boolean matches(Requirement requirement, Stored object) {
    String field = requirement.field();
    return requirement.matches(Map.of(field, value(object, field)));
  }

  private String value(Stored object, String field) {
    return switch (field) {
      case NAME -> object.name();
      case NAMESPACE -> requireNonNullElse(object.metadata().namespace(), "");
      case "source" -> Lookup.string(object.object(), "source", "component");
      default -> {
        String value = Lookup.text(object.object(), field.split("\\.", -1));
        yield value.isEmpty() ? defaults.getOrDefault(field, "") : value;
      }
    };
  }
}
