package dev.clientgo.envtest.internal.requests;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.fields.FieldRequirement;
import dev.clientgo.apimachinery.fields.FieldSelector;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.storage.StoredObject;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.Map;

/**
 * The label selector and the field selector of a request.
 *
 * @param labels the label selector
 * @param fields the field selector
 * @param defaults the values of fields that an object does not have
 */
public record SelectionPredicate(
    Selector labels, FieldSelector fields, Map<String, String> defaults) {

  private static final String NAME = "metadata.name";
  private static final String NAMESPACE = "metadata.namespace";

  /**
   * Reads the selectors of a request.
   *
   * @throws ApiStatusException if they are invalid for the kind
   */
  public static SelectionPredicate of(ApiRequest request, ServedKind served) {
    SelectionPredicate selection;
    try {
      selection =
          new SelectionPredicate(
              Selector.parse(request.query("labelSelector")),
              FieldSelector.parse(request.query("fieldSelector")),
              served.version().selectableFields());
    } catch (IllegalArgumentException e) {
      throw ApiStatusException.badRequest("unable to parse requirement: " + e.getMessage());
    }
    for (FieldRequirement requirement : selection.fields.requirements()) {
      checkField(requirement.field(), served);
    }
    return selection;
  }

  private static void checkField(String field, ServedKind served) {
    Map<String, String> known = served.version().selectableFields();
    if (known.containsKey(field) || field.equals(NAME) || field.equals(NAMESPACE)) {
      return;
    }
    throw ApiStatusException.badRequest(
        known.isEmpty() && !served.isCustom()
            ? '"'
                + field
                + "\" is not a known field selector: only \""
                + NAME
                + "\", \""
                + NAMESPACE
                + '"'
            : "field label not supported: " + field);
  }

  public boolean isEverything() {
    return labels.isEverything() && fields.isEverything();
  }

  public boolean matches(StoredObject object) {
    return labels.matches(object.labels())
        && fields.requirements().stream().allMatch(r -> matches(r, object));
  }

  private boolean matches(FieldRequirement requirement, StoredObject object) {
    String field = requirement.field();
    return requirement.matches(Map.of(field, value(object, field)));
  }

  private String value(StoredObject object, String field) {
    return switch (field) {
      case NAME -> object.name();
      case NAMESPACE -> requireNonNullElse(object.metadata().namespace(), "");
      case "source" -> JsonTree.string(object.object().content(), "source", "component");
      default -> {
        String value = JsonTree.scalar(object.object().content(), field.split("\\.", -1));
        yield value.isEmpty() ? defaults.getOrDefault(field, "") : value;
      }
    };
  }
}
