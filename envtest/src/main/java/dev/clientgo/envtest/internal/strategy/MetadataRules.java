package dev.clientgo.envtest.internal.strategy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.OwnerReference;
import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.envtest.internal.errors.FieldErrors;
import dev.clientgo.envtest.internal.kinds.Resource;
import dev.clientgo.envtest.internal.storage.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Validates {@code metadata}, with the error texts of kube-apiserver. */
public final class MetadataRules {

  private static final Set<String> STANDARD_FINALIZERS =
      Set.of("orphan", "foregroundDeletion", "kubernetes");
  private static final String NAME_PART = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
  private static final Pattern NAME_PART_PATTERN = Pattern.compile(NAME_PART);
  private static final String VALUE = "(" + NAME_PART + ")?";
  private static final Pattern VALUE_PATTERN = Pattern.compile(VALUE);
  private static final int MAX_NAME_PART = 63;
  private static final int MAX_ANNOTATIONS = 256 << 10;

  private MetadataRules() {}

  /** Returns the errors of a new object. */
  static List<StatusCause> check(Resource resource, ObjectMeta metadata) {
    List<StatusCause> problems = new ArrayList<>();
    checkNames(resource, metadata, problems);
    problems.addAll(check(metadata.labels(), metadata.annotations()));
    for (OwnerReference owner : metadata.ownerReferences()) {
      checkOwner(owner, problems);
    }
    checkFinalizers(metadata, problems);
    return problems;
  }

  /** Returns the errors of labels and annotations. */
  public static List<StatusCause> check(
      Map<String, String> labels, Map<String, String> annotations) {
    List<StatusCause> problems = new ArrayList<>();
    labels.forEach(
        (key, value) -> {
          checkKey("metadata.labels", key, problems);
          checkLabelValue(value, problems);
        });
    checkAnnotations(annotations, problems);
    return problems;
  }

  private static void checkAnnotations(
      Map<String, String> annotations, List<StatusCause> problems) {
    long size = 0;
    for (Map.Entry<String, String> entry : annotations.entrySet()) {
      checkKey("metadata.annotations", entry.getKey(), problems);
      size += entry.getKey().length() + entry.getValue().getBytes(UTF_8).length;
    }
    if (size > MAX_ANNOTATIONS) {
      problems.add(FieldErrors.tooLong("metadata.annotations", MAX_ANNOTATIONS));
    }
  }

  private static void checkNames(
      Resource resource, ObjectMeta metadata, List<StatusCause> problems) {
    String base = requireNonNullElse(metadata.generateName(), "");
    if (!base.isEmpty()) {
      // A random suffix follows, so a dash at the end is valid.
      String masked = base.length() > 1 && base.endsWith("-") ? base + "a" : base;
      problem("metadata.generateName", base, ObjectNames.problem(resource, masked), problems);
    }
    String name = requireNonNullElse(metadata.name(), "");
    if (name.isEmpty()) {
      problems.add(FieldErrors.required("metadata.name", "name or generateName is required"));
    } else {
      problem("metadata.name", name, ObjectNames.problem(resource, name), problems);
    }
  }

  private static void problem(
      String field, String value, String problem, List<StatusCause> problems) {
    if (!problem.isEmpty()) {
      problems.add(FieldErrors.invalid(field, '"' + value + '"', problem));
    }
  }

  private static void checkKey(String field, String key, List<StatusCause> problems) {
    String namePart = key.substring(key.indexOf('/') + 1);
    if (namePart.length() > MAX_NAME_PART) {
      problem(field, key, "name part must be no more than 63 characters", problems);
    } else if (!NAME_PART_PATTERN.matcher(namePart).matches()) {
      problem(
          field,
          key,
          "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and"
              + " end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or"
              + " '123-abc', regex used for validation is '"
              + NAME_PART
              + "')",
          problems);
    }
  }

  private static void checkLabelValue(String value, List<StatusCause> problems) {
    if (value.length() > MAX_NAME_PART) {
      problem("metadata.labels", value, "must be no more than 63 characters", problems);
    } else if (!VALUE_PATTERN.matcher(value).matches()) {
      problem(
          "metadata.labels",
          value,
          "a valid label must be an empty string or consist of alphanumeric characters, '-', '_'"
              + " or '.', and must start and end with an alphanumeric character (e.g. 'MyValue', "
              + " or 'my_value',  or '12345', regex used for validation is '"
              + VALUE
              + "')",
          problems);
    }
  }

  private static void checkOwner(OwnerReference owner, List<StatusCause> problems) {
    String field = "metadata.ownerReferences";
    checkNotEmpty(field + ".apiVersion", owner.apiVersion(), "version must not be empty", problems);
    checkNotEmpty(field + ".kind", owner.kind(), "must not be empty", problems);
    checkNotEmpty(field + ".name", owner.name(), "must not be empty", problems);
    checkNotEmpty(field + ".uid", owner.uid(), "must not be empty", problems);
  }

  private static void checkNotEmpty(
      String field, @Nullable String value, String problem, List<StatusCause> problems) {
    if (value == null || value.isEmpty()) {
      problem(field, "", problem, problems);
    }
  }

  private static void checkFinalizers(ObjectMeta metadata, List<StatusCause> problems) {
    List<String> finalizers = metadata.finalizers();
    for (int i = 0; i < finalizers.size(); i++) {
      String finalizer = finalizers.get(i);
      if (!finalizer.contains("/") && !STANDARD_FINALIZERS.contains(finalizer)) {
        problem(
            "metadata.finalizers[" + i + "]",
            finalizer,
            "name is neither a standard finalizer name nor is it fully qualified",
            problems);
      }
    }
  }

  /** Returns the errors of a changed object. */
  static List<StatusCause> checkUpdate(Resource resource, ObjectMeta metadata, StoredObject old) {
    List<StatusCause> problems = check(resource, metadata);
    List<String> added = new ArrayList<>(metadata.finalizers());
    added.removeAll(old.finalizers());
    if (old.isBeingDeleted() && !added.isEmpty()) {
      problems.add(
          FieldErrors.forbidden(
              "metadata.finalizers",
              ("no new finalizers can be added if the object is being deleted, found new"
                      + " finalizers []string{\"%s\"}")
                  .formatted(String.join("\", \"", added))));
    }
    return problems;
  }
}
