package dev.clientgo.examples.website;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.envtest.traffic.ApiRequest;
import dev.clientgo.kubectl.Manifest;
import dev.clientgo.kubectl.Manifests;
import dev.clientgo.kubernetes.rbac.v1.PolicyRule;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Permissions in the form {@code verb group resource}, as roles grant them and requests use them.
 */
final class Permissions {

  private static final JsonCodec<List<PolicyRule>> RULES = JsonCodecs.list(PolicyRule.CODEC);

  private Permissions() {}

  /** Returns what the roles of a manifest grant. */
  static Set<String> granted(Path manifest) {
    Set<String> granted = new TreeSet<>();
    for (Manifest object : Manifests.read(manifest)) {
      object.value().nested(RULES, "rules").stream()
          .flatMap(List::stream)
          .forEach(rule -> granted.addAll(permissions(rule)));
    }
    return granted;
  }

  private static List<String> permissions(PolicyRule rule) {
    return rule.apiGroups().stream()
        .flatMap(
            group ->
                rule.resources().stream()
                    .flatMap(
                        resource ->
                            rule.verbs().stream().map(verb -> verb + " " + group + " " + resource)))
        .toList();
  }

  /** Returns what a request needs. A server-side apply may create the object, too. */
  static List<String> used(ApiRequest request) {
    String resource =
        request.subresource().isEmpty()
            ? request.resource()
            : request.resource() + "/" + request.subresource();
    Stream<String> verbs =
        request.contentType().equals("application/apply-patch+yaml")
            ? Stream.of("patch", "create")
            : Stream.of(request.verb());
    return verbs.map(verb -> verb + " " + request.group() + " " + resource).toList();
  }
}
