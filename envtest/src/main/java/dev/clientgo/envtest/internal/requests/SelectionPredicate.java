package dev.clientgo.envtest.internal.requests;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.fields.FieldRequirement;
import dev.clientgo.apimachinery.fields.FieldSelector;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.internal.errors.ApiErrors;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.storage.StoredObject;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.Map;

/**
 * The label selector, the field selector and the shard selector of a request.
 *
 * @param labels the label selector
 * @param fields the field selector
 * @param defaults the values of fields that an object does not have
 * @param shard the shard selector; of everything if the request has none
 */
public record SelectionPredicate(
    Selector labels, FieldSelector fields, Map<String, String> defaults, ShardSelector shard) {

  private static final String NAME = "metadata.name";
  private static final String NAMESPACE = "metadata.namespace";

  /**
   * Reads the selectors of a request.
   *
   * @param shards whether the server knows shards
   * @throws ApiStatusException if they are invalid for the kind
   */
  public static SelectionPredicate of(ApiRequest request, ServedKind served, boolean shards) {
    SelectionPredicate selection;
    ShardSelector shard = shards ? shard(request) : ShardSelector.EVERYTHING;
    try {
      selection =
          new SelectionPredicate(
              Selector.parse(request.query("labelSelector")),
              FieldSelector.parse(request.query("fieldSelector")),
              served.version().selectableFields(),
              shard);
    } catch (IllegalArgumentException e) {
      throw ApiStatusException.badRequest("unable to parse requirement: " + e.getMessage());
    }
    for (FieldRequirement requirement : selection.fields.requirements()) {
      checkField(requirement.field(), served);
    }
    return selection;
  }

  private static ShardSelector shard(ApiRequest request) {
    String text = request.query("shardSelector");
    try {
      return text.isEmpty() ? ShardSelector.EVERYTHING : ShardSelector.parse(text);
    } catch (IllegalArgumentException e) {
      throw ApiErrors.unexplained("invalid shard selector: " + e.getMessage());
    }
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

  /** Returns whether nothing restricts the objects. */
  public boolean isEverything() {
    return labels.isEverything() && fields.isEverything() && shard.isEverything();
  }

  public boolean matches(StoredObject object) {
    return shard.matches(object.object())
        && labels.matches(object.labels())
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
      case "source" -> object.field("source.component");
      default -> {
        String value = object.field(field);
        yield value.isEmpty() ? defaults.getOrDefault(field, "") : value;
      }
    };
  }
}
