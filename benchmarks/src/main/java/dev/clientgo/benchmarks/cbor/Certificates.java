package dev.clientgo.benchmarks.cbor;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Custom resources in the form of cert-manager's certificates, with two managers of fields. */
final class Certificates {

  static final String API_VERSION = "bench.example.com/v1";
  static final String KIND = "Certificate";

  private Certificates() {}

  /** Returns an object as a server sends it, about 2 kB of JSON. */
  static Unstructured stored(int i) {
    Map<String, Object> metadata =
        new LinkedHashMap<>(Map.of("namespace", "team-" + i % 20, "name", "web-" + i));
    metadata.put("uid", "0b4bd6f3-8a7e-4f0e-9c6c-" + (100_000_000_000L + i));
    metadata.put("resourceVersion", Integer.toString(1_000_000 + i));
    metadata.put("generation", 2L);
    metadata.put("creationTimestamp", "2026-05-04T10:11:12Z");
    metadata.put("labels", Map.of("app", "app-" + i % 50, "tier", "front"));
    metadata.put(
        "managedFields",
        List.of(
            manager("kubectl", "metadata", "labels", "app", "tier"),
            manager("controller", "status", "conditions", "notAfter", "renewalTime", "revision")));
    return Unstructured.of(
        Map.of(
            "apiVersion",
            API_VERSION,
            "kind",
            KIND,
            "metadata",
            metadata,
            "spec",
            spec(i),
            "status",
            Map.of(
                "revision",
                3L,
                "notAfter",
                "2026-08-02T10:11:12Z",
                "renewalTime",
                "2026-07-03T10:11:12Z",
                "conditions",
                List.of(
                    Map.of(
                        "type", "Ready",
                        "status", "True",
                        "reason", "Ready",
                        "message", "Certificate is up to date and has not expired",
                        "observedGeneration", 2L,
                        "lastTransitionTime", "2026-05-04T10:12:00Z")))));
  }

  /** Returns an object as a client creates it. */
  static Unstructured created(int i) {
    return Unstructured.of(
        Map.of(
            "apiVersion",
            API_VERSION,
            "kind",
            KIND,
            "metadata",
            Map.of("name", "web-" + i, "labels", Map.of("app", "app-" + i % 50, "tier", "front")),
            "spec",
            spec(i)));
  }

  private static Map<String, Object> spec(int i) {
    return Map.of(
        "secretName",
        "web-" + i + "-tls",
        "duration",
        "2160h0m0s",
        "renewBefore",
        "720h0m0s",
        "revisionHistoryLimit",
        3L,
        "isCA",
        false,
        "dnsNames",
        List.of("web-" + i + ".example.com", "www.web-" + i + ".example.com"),
        "usages",
        List.of("digital signature", "key encipherment", "server auth"),
        "privateKey",
        Map.of("algorithm", "RSA", "encoding", "PKCS1", "size", 2048L, "rotationPolicy", "Always"),
        "issuerRef",
        Map.of("group", "cert-manager.io", "kind", "ClusterIssuer", "name", "letsencrypt"));
  }

  private static Map<String, Object> manager(String name, String part, String... fields) {
    Map<String, Object> inner = new LinkedHashMap<>();
    for (String field : fields) {
      inner.put("f:" + field, Map.of(".", Map.of(), "f:value", Map.of()));
    }
    return Map.of(
        "manager",
        name,
        "operation",
        "Update",
        "apiVersion",
        API_VERSION,
        "time",
        "2026-05-04T10:11:12Z",
        "fieldsType",
        "FieldsV1",
        "fieldsV1",
        Map.of("f:" + part, inner));
  }

  /** Returns a tree whose fields have a random order, as those of each object in CBOR have. */
  static Object shuffled(Object tree, Random random) {
    if (tree instanceof Map<?, ?> map) {
      List<Object> names = new ArrayList<>(map.keySet());
      Collections.shuffle(names, random);
      Map<Object, Object> copy = new LinkedHashMap<>();
      names.forEach(name -> copy.put(name, shuffled(map.get(name), random)));
      return copy;
    }
    return tree instanceof List<?> list
        ? list.stream().map(each -> shuffled(each, random)).toList()
        : tree;
  }
}
