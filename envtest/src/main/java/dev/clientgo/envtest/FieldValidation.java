package dev.clientgo.envtest;

import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.apimachinery.patch.JsonPatch;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.Resource.Trait;
import java.util.ArrayList;
import java.util.List;

/**
 * What is said of the fields in one request that are unknown, which are dropped, or that stand
 * there twice: the client is warned, or is not, or is refused. For one thread.
 */
final class FieldValidation {

  private static final String YAML_HEADING =
      "^(error converting YAML to JSON: )?yaml: unmarshal errors:\n";

  private final ApiRequest request;
  private final Served served;
  private final List<String> problems = new ArrayList<>();

  FieldValidation(ApiRequest request, Served served) {
    this.request = request;
    this.served = served;
  }

  /**
   * Looks at an object that was sent.
   *
   * @param json what was sent, as JSON
   * @throws ApiStatusException if it has what it may not have
   */
  void checkSent(byte[] json, Unstructured object) {
    if (isAsked()) {
      if (RequestBody.isYaml(request)) {
        Yaml.duplicates(request.body()).ifPresent(problems::add);
      }
      boolean custom = served.is(Trait.CUSTOM);
      problems.addAll(StrictFields.problems(json, custom ? KnownFields.ANYTHING : served.fields()));
      if (custom) {
        problems.addAll(unknown(object));
      }
    }
    if (isRefused()) {
      throw RequestBody.cannotBeHandled(served.kind(), served, refusal());
    }
  }

  /**
   * Looks at an object that came of a patch, and at the patch.
   *
   * @throws ApiStatusException if it has what it may not have
   */
  void checkPatched(Unstructured object) {
    problems.clear(); // Of an attempt before.
    if (isAsked()) {
      boolean operations = request.contentType().equals(JsonPatch.MEDIA_TYPE);
      KnownFields known = operations ? KnownFields.JSON_PATCH : KnownFields.ANYTHING;
      for (String problem : StrictFields.problems(request.body(), known)) {
        problems.add(operations ? "json patch " + problem : problem);
      }
      problems.addAll(unknown(object));
    }
    if (isRefused()) {
      String value = '"' + Json.text(object.content()).replace("\"", "\\\"") + '"';
      throw ApiStatusException.invalid(
          new GroupKind("", ""), "", List.of(Failures.invalidValue("patch", value, refusal())));
    }
  }

  /**
   * Looks at a configuration that is applied, whose unknown fields have been refused.
   *
   * @throws ApiStatusException if it has what it may not have
   */
  void checkApplied() {
    if (isAsked()) {
      Yaml.duplicates(request.body())
          .ifPresent(problem -> problems.add("error converting YAML to JSON: " + problem));
    }
    if (isRefused()) {
      throw ApiStatusException.badRequest("error strict decoding YAML: " + problems.get(0));
    }
  }

  private List<String> unknown(Unstructured object) {
    return StrictFields.problems(Json.write(object.content()), served.fields()).stream()
        .sorted()
        .toList();
  }

  private boolean isAsked() {
    return !request.query("fieldValidation").equals("Ignore");
  }

  private boolean isRefused() {
    return request.query("fieldValidation").equals("Strict") && !problems.isEmpty();
  }

  private String refusal() {
    return "strict decoding error: " + String.join(", ", problems);
  }

  /** Returns an answer with the warnings, if there are any. */
  Response warn(Response answer) {
    Response warned = answer;
    for (String problem : problems) {
      for (String line : problem.replaceFirst(YAML_HEADING, "").lines().toList()) {
        warned = warned.plus("Warning", "299 - \"" + line.strip().replace("\"", "\\\"") + '"');
      }
    }
    return warned;
  }
}
