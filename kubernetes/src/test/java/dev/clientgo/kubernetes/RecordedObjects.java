package dev.clientgo.kubernetes;

/** What {@link RecordExchanges} sends, in the words in which it is sent. */
final class RecordedObjects {

  static final String DEPLOYMENT =
      """
      {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "labels": {"app": "web"}}, \
      "spec": {"replicas": 3, "selector": {"matchLabels": {"app": "web"}}, "template": {"metadata": \
      {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "web", "image": "web"}]}}}}""";

  static final String DEPLOYMENT_STATUS =
      """
      {"status": {"observedGeneration": 1, "replicas": 3, "updatedReplicas": 3, "unavailableReplicas": 3, \
      "conditions": [{"type": "Available", "status": "False", "reason": "MinimumReplicasUnavailable", \
      "message": "Deployment does not have minimum availability.", \
      "lastUpdateTime": "2026-01-01T00:00:00Z", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}""";

  static final String RUNNING =
      """
      {"status":{"phase":"Running","podIP":"10.0.0.2","podIPs":[{"ip":"10.0.0.2"}],\
      "startTime":"2026-01-01T00:00:00Z","conditions":[{"type":"Ready","status":"True",\
      "lastTransitionTime":"2026-01-01T00:00:01Z"}],"containerStatuses":[{"name":"web","ready":true,\
      "restartCount":1,"image":"registry.example.com/web:1","imageID":"",\
      "state":{"running":{"startedAt":"2026-01-01T00:00:01Z"}}}]}}""";

  static final String DEFINITION =
      """
      {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", \
      "metadata": {"name": "foos.samplecontroller.example.com"}, "spec": \
      {"group": "samplecontroller.example.com", "names": {"kind": "Foo", "plural": "foos", \
      "singular": "foo", "shortNames": ["fo"], "categories": ["all"]}, "scope": "Namespaced", \
      "versions": [{"name": "v1alpha1", "served": true, "storage": true, "subresources": {"status": {}, \
      "scale": {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.availableReplicas"}}, \
      "additionalPrinterColumns": [{"name": "Replicas", "type": "integer", "jsonPath": ".spec.replicas"}], \
      "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object", \
      "required": ["deploymentName"], "properties": {"deploymentName": {"type": "string", "minLength": 1}, \
      "replicas": {"type": "integer", "format": "int32", "default": 1, "minimum": 1}, \
      "port": {"x-kubernetes-int-or-string": true}, "extra": {"type": "object", \
      "x-kubernetes-preserve-unknown-fields": true}}}, "status": {"type": "object", "properties": \
      {"availableReplicas": {"type": "integer", "format": "int32"}}}}}}}]}}""";

  static final String LEASE =
      """
      {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "wire"}, \
      "spec": {"holderIdentity": "a", "leaseDurationSeconds": 15, \
      "acquireTime": "2026-11-20T10:00:00.123456Z", "renewTime": "2026-11-20T10:00:00.123456Z", \
      "leaseTransitions": 0}}""";

  static final String ACCESS_REVIEW =
      """
      {"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview", "spec": \
      {"resourceAttributes": {"verb": "get", "resource": "pods", "namespace": "default"}}}""";

  static final String BROKEN_API_SERVICE =
      """
      {"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService", \
      "metadata": {"name": "v1.broken.example.com"}, "spec": {"group": "broken.example.com", \
      "version": "v1", "groupPriorityMinimum": 100, "versionPriority": 100, \
      "insecureSkipTLSVerify": true, "service": {"name": "absent", "namespace": "default"}}}""";

  private RecordedObjects() {}

  /**
   * Returns a config map.
   *
   * @param more what stands behind the labels, and what stands behind the data
   */
  static String configMap(String name, String... more) {
    return """
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "%s", "labels": {"app": "wire"}%s}, \
        "data": {"k": "v", "unicode": "h\\u00e9llo \\u2638 \\u4e16\\u754c", \
        "escape": "tab\\t\\"quote\\" \\\\ \\u2028 \\u0001"}%s}"""
        .formatted(name, more.length > 0 ? more[0] : "", more.length > 1 ? more[1] : "");
  }

  static String pod(String name) {
    return """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "labels": {"app": "web"}}, "spec": \
        {"containers": [{"name": "web", "image": "registry.example.com/web:1", "args": ["--port=80"], \
        "env": [{"name": "TEXT", "value": ""}, {"name": "POD", "valueFrom": {"fieldRef": \
        {"fieldPath": "metadata.name"}}}], "ports": [{"name": "http", "containerPort": 80}], \
        "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}, "limits": {"memory": "128Mi"}}, \
        "readinessProbe": {"httpGet": {"path": "/", "port": "http"}}, \
        "volumeMounts": [{"name": "config", "mountPath": "/etc/web", "readOnly": true}]}], \
        "volumes": [{"name": "config", "configMap": {"name": "web", "optional": true, \
        "items": [{"key": "k", "path": "p", "mode": 256}]}}], "nodeSelector": {"disk": "ssd"}}}"""
        .formatted(name);
  }

  static String owned(String value) {
    return "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"wire-ssa\"},"
        + (" \"data\": {\"owned\": \"" + value + "\"}}");
  }

  static String foo(String name, String spec) {
    return """
        {"apiVersion": "samplecontroller.example.com/v1alpha1", "kind": "Foo", \
        "metadata": {"name": "%s"}, "spec": {%s}}"""
        .formatted(name, spec);
  }

  static String eviction(String pod) {
    return "{\"apiVersion\": \"policy/v1\", \"kind\": \"Eviction\", \"metadata\": {\"name\": \""
        + pod
        + "\"}}";
  }

  static String deleteOptions(String more) {
    return "{\"apiVersion\": \"v1\", \"kind\": \"DeleteOptions\"" + more + "}";
  }
}
