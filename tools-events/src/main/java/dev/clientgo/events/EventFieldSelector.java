package dev.clientgo.events;

import dev.clientgo.apimachinery.fields.FieldSelector;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.kubernetes.core.v1.ObjectReference;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Selects the events about an object, for lists and watches.
 *
 * <pre>{@code
 * FieldSelector aboutFoo =
 *     EventFieldSelector.of(Event.TYPE.kind().groupVersion(), ObjectReferences.of(foo));
 * }</pre>
 *
 * <p>Corresponds to client-go's {@code events.GetFieldSelector}.
 */
public final class EventFieldSelector {

  private EventFieldSelector() {}

  /**
   * Returns the selector of the events about an object.
   *
   * @param events the version in which the events are read: {@code events.k8s.io/v1} or {@code v1}
   * @param regarding the object; each of name, kind, apiVersion and uid counts only if it is there
   * @throws IllegalArgumentException if there are no events in that version
   */
  public static FieldSelector of(GroupVersion events, ObjectReference regarding) {
    String prefix =
        switch (events.toString()) {
          case "events.k8s.io/v1", "events.k8s.io/v1beta1" -> "regarding";
          case "v1" -> "involvedObject";
          default ->
              throw new IllegalArgumentException(
                  "there are no events in " + events + ", only in events.k8s.io/v1 and v1");
        };
    Map<String, String> fields = new LinkedHashMap<>();
    put(fields, prefix + ".name", regarding.name());
    put(fields, prefix + ".kind", regarding.kind());
    put(fields, prefix + ".apiVersion", regarding.apiVersion());
    put(fields, prefix + ".uid", regarding.uid());
    return FieldSelector.ofFields(fields);
  }

  private static void put(Map<String, String> fields, String field, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      fields.put(field, value);
    }
  }
}
