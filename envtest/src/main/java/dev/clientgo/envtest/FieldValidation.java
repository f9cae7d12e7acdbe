package dev.clientgo.envtest;

import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.Resource.Trait;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is said of the fields in one request that the schema of a custom kind does not know: they
 * are dropped, and the client is warned, or is not, or is refused. For one thread.
 */
final class FieldValidation {

  private final ApiRequest request;
  private final Served served;
  private List<String> problems = List.of();

  FieldValidation(ApiRequest request, Served served) {
    this.request = request;
    this.served = served;
  }

  /**
   * Looks at an object that was sent.
   *
   * @throws ApiStatusException if it has what it may not have
   */
  void checkSent(Unstructured object) {
    check(object);
    if (isRefused()) {
      throw RequestBody.cannotBeHandled(served.kind(), served, refusal());
    }
  }

  /**
   * Looks at an object that came of a patch.
   *
   * @throws ApiStatusException if it has what it may not have
   */
  void checkPatched(Unstructured object) {
    check(object);
    if (isRefused()) {
      String value = '"' + Json.text(object.content()).replace("\"", "\\\"") + '"';
      throw ApiStatusException.invalid(
          new GroupKind("", ""), "", List.of(Failures.invalidValue("patch", value, refusal())));
    }
  }

  private void check(Unstructured object) {
    if (served.is(Trait.CUSTOM) && !mode().equals("Ignore")) {
      List<String> fields = new ArrayList<>(served.version().schema().unknown(object.content()));
      unknownMetadata(object).forEach(name -> fields.add("metadata." + name));
      problems = fields.stream().sorted().map(field -> "unknown field \"" + field + '"').toList();
    }
  }

  private static Set<String> unknownMetadata(Unstructured object) {
    Set<String> known =
        Tree.object(
                Unstructured.of(Tree.of()).withMetadata(object.metadata()).content(), "metadata")
            .keySet();
    return Tree.object(object.content(), "metadata").keySet().stream()
        .filter(name -> !known.contains(name))
        .collect(Collectors.toSet());
  }

  private String mode() {
    return request.query("fieldValidation");
  }

  private boolean isRefused() {
    return mode().equals("Strict") && !problems.isEmpty();
  }

  private String refusal() {
    return "strict decoding error: " + String.join(", ", problems);
  }

  /** Returns an answer with the warnings, if there are any. */
  Response warn(Response answer) {
    Response warned = answer;
    for (String problem : problems) {
      warned = warned.plus("Warning", "299 - \"" + problem.replace("\"", "\\\"") + '"');
    }
    return warned;
  }
}
