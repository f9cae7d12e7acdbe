package dev.clientgo.conformance;

import dev.clientgo.conformance.ScriptedServer.Item;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** The JSON that the server sends. */
final class ItemJson {

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private boolean hasUnknownFields;

  void addUnknownFields() {
    hasUnknownFields = true;
  }

  String list(List<Item> items, long version, String continueToken) {
    Map<String, Object> metadata = fields();
    metadata.put("resourceVersion", Long.toString(version));
    if (!continueToken.isEmpty()) {
      metadata.put("continue", continueToken);
    }
    List<Object> objects = new ArrayList<>();
    items.forEach(item -> objects.add(object(item, false)));
    Map<String, Object> list = fields();
    list.put("kind", "ConfigMapList");
    list.put("apiVersion", "v1");
    list.put("metadata", metadata);
    list.put("items", objects);
    return MAPPER.writeValueAsString(list);
  }

  String event(String type, Item item) {
    return event(type, object(item, true));
  }

  String bookmark(long version, boolean endsInitialEvents) {
    Map<String, Object> metadata = fields();
    metadata.put("resourceVersion", Long.toString(version));
    metadata.put("creationTimestamp", null);
    if (endsInitialEvents) {
      metadata.put("annotations", Map.of("k8s.io/initial-events-end", "true"));
    }
    Map<String, Object> object = fields();
    object.put("kind", "ConfigMap");
    object.put("apiVersion", "v1");
    object.put("metadata", metadata);
    return event("BOOKMARK", object);
  }

  String errorEvent(int code) {
    return event("ERROR", statusObject(code));
  }

  String status(int code) {
    return MAPPER.writeValueAsString(statusObject(code));
  }

  private String event(String type, Map<String, Object> object) {
    Map<String, Object> event = fields();
    event.put("type", type);
    event.put("object", object);
    return MAPPER.writeValueAsString(event) + "\n";
  }

  private Map<String, Object> object(Item item, boolean withType) {
    Map<String, Object> metadata = fields();
    metadata.put("name", item.name());
    metadata.put("namespace", "default");
    metadata.put("uid", item.uid());
    metadata.put("resourceVersion", Long.toString(item.version()));
    metadata.put("creationTimestamp", "2026-01-01T00:00:00Z");
    Map<String, Object> object = fields();
    if (withType) {
      object.put("kind", "ConfigMap");
      object.put("apiVersion", "v1");
    }
    object.put("metadata", metadata);
    object.put(
        "data", item.isBroken() ? List.of("not", "a", "map") : Map.of("value", item.value()));
    return object;
  }

  /** Returns a status as the kube-apiserver of 1.36 sends it. */
  private Map<String, Object> statusObject(int code) {
    String reason =
        switch (code) {
          case 403 -> "Forbidden";
          case 404 -> "NotFound";
          case 410 -> "Expired";
          case 422 -> "Invalid";
          case 429 -> "TooManyRequests";
          case 503 -> "ServiceUnavailable";
          case 504 -> "Timeout";
          default -> "InternalError";
        };
    Map<String, Object> status = fields();
    status.put("kind", "Status");
    status.put("apiVersion", "v1");
    status.put("metadata", Map.of());
    status.put("status", "Failure");
    status.put("message", code == 504 ? "Too large resource version" : "scripted: " + reason);
    status.put("reason", reason);
    if (code == 504) {
      Map<String, Object> cause =
          Map.of("reason", "ResourceVersionTooLarge", "message", "Too large");
      status.put("details", Map.of("causes", List.of(cause), "retryAfterSeconds", 1));
    }
    status.put("code", code);
    return status;
  }

  private Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (hasUnknownFields) {
      fields.put("addedIn1.99", Map.of("deep", List.of(1, "two", Map.of())));
    }
    return fields;
  }
}
