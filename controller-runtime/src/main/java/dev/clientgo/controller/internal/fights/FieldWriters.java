package dev.clientgo.controller.internal.fights;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.managedfields.FieldSet;
import dev.clientgo.apimachinery.managedfields.PathElement;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ManagedFieldsEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** The managers that have changed an object, as far as its managed fields tell. */
final class FieldWriters {

  static final String UNKNOWN = "unknown";

  /**
   * The fields of a manager.
   *
   * @param name the manager and its operation
   * @param isChanged whether the entry differs from that of the state before
   */
  private record Owner(String name, boolean isChanged, Set<String> fields) {}

  private final List<Owner> owners = new ArrayList<>();

  private FieldWriters() {}

  /** Returns the managers of a state, and which of them have changed since the state before. */
  static FieldWriters of(KubernetesObject before, KubernetesObject after) {
    FieldWriters writers = new FieldWriters();
    List<ManagedFieldsEntry> old = before.metadata().managedFields();
    for (ManagedFieldsEntry entry : after.metadata().managedFields()) {
      writers.owners.add(new Owner(name(entry), !old.contains(entry), fields(entry)));
    }
    return writers;
  }

  /**
   * Returns whether the fields of a manager have changed, as they do whenever a field gets another
   * owner. Quick, because the states share what is equal.
   */
  static boolean haveMoved(KubernetesObject before, KubernetesObject after) {
    List<ManagedFieldsEntry> old = before.metadata().managedFields();
    List<ManagedFieldsEntry> now = after.metadata().managedFields();
    if (old.size() != now.size()) {
      return true;
    }
    for (int i = 0; i < now.size(); i++) {
      if (!isSame(old.get(i), now.get(i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isSame(ManagedFieldsEntry a, ManagedFieldsEntry b) {
    return Objects.equals(a.fieldsV1(), b.fieldsV1())
        && Objects.equals(a.manager(), b.manager())
        && Objects.equals(a.operation(), b.operation());
  }

  private static String name(ManagedFieldsEntry entry) {
    String subresource = entry.subresource();
    return entry.manager()
        + " ("
        + entry.operation()
        + (subresource == null || subresource.isEmpty() ? "" : ", " + subresource)
        + ")";
  }

  /**
   * Returns which manager has changed a field: the owner of the field, or of what it is in.
   *
   * @param field such as {@code spec.template.spec.containers[name=web].image}
   * @param isRemoved whether the object does not have it any more
   */
  String of(String field, boolean isRemoved) {
    if (isRemoved) {
      List<Owner> changed = owners.stream().filter(Owner::isChanged).toList();
      return changed.size() == 1 ? changed.get(0).name() : UNKNOWN;
    }
    for (String at = field; !at.isEmpty(); at = parent(at)) {
      String path = at;
      List<Owner> here = owners.stream().filter(owner -> owner.fields().contains(path)).toList();
      if (!here.isEmpty()) {
        return here.stream().filter(Owner::isChanged).findFirst().orElse(here.get(0)).name();
      }
    }
    return UNKNOWN;
  }

  private static String parent(String field) {
    if (field.endsWith("]")) {
      return field.substring(0, field.lastIndexOf('['));
    }
    int dot = field.lastIndexOf('.');
    int bracket = field.lastIndexOf(']') + 1;
    int end = Math.max(dot, bracket);
    return end <= 0 ? "" : field.substring(0, end);
  }

  private static Set<String> fields(ManagedFieldsEntry entry) {
    try {
      return FieldSet.parse(entry.fieldsV1()).paths().stream()
          .map(FieldWriters::text)
          .collect(Collectors.toSet());
    } catch (CodecException e) {
      return Set.of(); // An unreadable entry owns nothing that could be told.
    }
  }

  /** Returns a path in the form of a field of a difference. */
  private static String text(List<PathElement> path) {
    StringBuilder text = new StringBuilder();
    for (PathElement element : path) {
      if (element instanceof PathElement.Field field) {
        boolean plain = !field.name().contains(".") && !field.name().contains("/");
        text.append(!plain ? "[" : text.isEmpty() ? "" : ".").append(field.name());
        text.append(plain ? "" : "]");
      } else if (element instanceof PathElement.Key key && key.fields().size() == 1) {
        key.fields()
            .forEach((name, value) -> text.append('[').append(name).append('=').append(value));
        text.append(']');
      } else {
        text.append('[').append(Objects.toString(element)).append(']');
      }
    }
    return text.toString();
  }
}
