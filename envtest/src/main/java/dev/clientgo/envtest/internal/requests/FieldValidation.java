package dev.clientgo.envtest.internal.requests;

import dev.clientgo.apimachinery.patch.JsonPatch;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.internal.errors.ApiErrors;
import dev.clientgo.envtest.internal.errors.FieldErrors;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.YamlText;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.schema.KnownFields;
import dev.clientgo.envtest.internal.schema.StrictFieldCheck;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * The parameter {@code fieldValidation} of one request. Unknown and duplicate fields are ignored,
 * or reported as warnings, or refused. For use by one thread.
 */
public final class FieldValidation {

  private static final String YAML_HEADING =
      "^(error converting YAML to JSON: )?yaml: unmarshal errors:\n";

  private final ApiRequest request;
  private final ServedKind served;
  private final List<String> problems = new ArrayList<>();

  public FieldValidation(ApiRequest request, ServedKind served) {
    this.request = request;
    this.served = served;
  }

  /**
   * Checks an object in the body.
   *
   * @param json the body as JSON
   * @throws ApiStatusException if fields are refused
   */
  public void checkSent(byte[] json, Unstructured object) {
    if (isAsked()) {
      if (request.contentType().equals("application/yaml")) {
        YamlText.duplicates(request.body()).ifPresent(problems::add);
      }
      boolean custom = served.isCustom();
      problems.addAll(
          StrictFieldCheck.problems(json, custom ? KnownFields.ANYTHING : served.fields()));
      if (custom) {
        problems.addAll(unknown(object));
      }
    }
    if (isRefused()) {
      throw ApiErrors.cannotBeHandled(
          served.kind(), served.version().name(), served.kind(), refusal());
    }
  }

  /**
   * Checks a patch and the object that it produced.
   *
   * @throws ApiStatusException if fields are refused
   */
  public void checkPatched(Unstructured object) {
    problems.clear(); // The problems of an earlier attempt.
    if (isAsked()) {
      boolean operations = request.contentType().equals(JsonPatch.MEDIA_TYPE);
      KnownFields known = operations ? KnownFields.JSON_PATCH : KnownFields.ANYTHING;
      for (String problem : StrictFieldCheck.problems(request.body(), known)) {
        problems.add(operations ? "json patch " + problem : problem);
      }
      problems.addAll(unknown(object));
    }
    if (isRefused()) {
      String value = '"' + JsonText.text(object.content()).replace("\"", "\\\"") + '"';
      throw ApiStatusException.invalid(
          new GroupKind("", ""), "", List.of(FieldErrors.invalid("patch", value, refusal())));
    }
  }

  /**
   * Checks an apply configuration, whose unknown fields have already been refused.
   *
   * @throws ApiStatusException if fields are refused
   */
  public void checkApplied() {
    if (isAsked()) {
      YamlText.duplicates(request.body())
          .ifPresent(problem -> problems.add("error converting YAML to JSON: " + problem));
    }
    if (isRefused()) {
      throw ApiStatusException.badRequest("error strict decoding patch: " + problems.get(0));
    }
  }

  private List<String> unknown(Unstructured object) {
    return StrictFieldCheck.problems(JsonText.write(object.content()), served.fields()).stream()
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

  /** Returns a response with the warnings added. */
  public Response warn(Response answer) {
    Response warned = answer;
    for (String problem : problems) {
      for (String line : problem.replaceFirst(YAML_HEADING, "").lines().toList()) {
        warned = warned.plus("Warning", "299 - \"" + line.strip().replace("\"", "\\\"") + '"');
      }
    }
    return warned;
  }
}
