package dev.clientgo.benchmarks.apimachinery;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Random;

/** A stream of watch events of pods such as a Deployment makes them, about 5 kB each. */
public final class PodEvents {

  private static final String EVENT =
      """
      {"type":"MODIFIED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"%1$s",\
      "generateName":"%2$s-7d9c5b8f6d-","namespace":"%3$s","uid":"%4$s","resourceVersion":"%5$d",\
      "generation":1,"creationTimestamp":"2026-05-04T10:%6$02d:11Z","labels":{"app":"%2$s",\
      "app.kubernetes.io/component":"server","app.kubernetes.io/part-of":"shop",\
      "pod-template-hash":"7d9c5b8f6d"},"annotations":{"checksum/config":"%4$s",\
      "prometheus.io/port":"8080","prometheus.io/scrape":"true"},"ownerReferences":[{"apiVersion":\
      "apps/v1","kind":"ReplicaSet","name":"%2$s-7d9c5b8f6d","uid":"0b4bd6f3-8a7e-4f0e-9c6c-%6$012d",\
      "controller":true,"blockOwnerDeletion":true}],"managedFields":[{"manager":\
      "kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-05-04T10:%6$02d:11Z",\
      "fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:checksum/config":{},\
      "f:prometheus.io/port":{},"f:prometheus.io/scrape":{}},"f:generateName":{},"f:labels":{".":{},\
      "f:app":{},"f:app.kubernetes.io/component":{},"f:app.kubernetes.io/part-of":{},\
      "f:pod-template-hash":{}},"f:ownerReferences":{".":{},"k:{\\"uid\\":\\"0b4bd6f3-8a7e-4f0e-9c6c-%6$012d\\"}":{}}},\
      "f:spec":{"f:containers":{"k:{\\"name\\":\\"server\\"}":{".":{},"f:env":{".":{},\
      "k:{\\"name\\":\\"LOG_LEVEL\\"}":{".":{},"f:name":{},"f:value":{}},"k:{\\"name\\":\\"POD_IP\\"}":{".":{},\
      "f:name":{},"f:valueFrom":{}}},"f:image":{},"f:imagePullPolicy":{},"f:livenessProbe":{},"f:name":{},\
      "f:ports":{},"f:readinessProbe":{},"f:resources":{},"f:terminationMessagePath":{},\
      "f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},\
      "f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}},{"manager":\
      "kubelet","operation":"Update","apiVersion":"v1","time":"2026-05-04T10:%6$02d:19Z","fieldsType":\
      "FieldsV1","fieldsV1":{"f:status":{"f:conditions":{"k:{\\"type\\":\\"Ready\\"}":{".":{},\
      "f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}}},"f:containerStatuses":{},\
      "f:hostIP":{},"f:phase":{},"f:podIP":{},"f:podIPs":{},"f:startTime":{}}},"subresource":"status"}]},\
      "spec":{"volumes":[{"name":"config","configMap":{"name":"%2$s-config","defaultMode":420}},\
      {"name":"kube-api-access-x7x2k","projected":{"sources":[{"serviceAccountToken":\
      {"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":\
      "ca.crt","path":"ca.crt"}]}}],"defaultMode":420}}],"containers":[{"name":"server","image":\
      "registry.example.com/shop/%2$s:1.%6$d.3","args":["--listen=:8080","--config=/etc/app/config.yaml"],\
      "ports":[{"name":"http","containerPort":8080,"protocol":"TCP"},{"name":"metrics","containerPort":9090,\
      "protocol":"TCP"}],"env":[{"name":"LOG_LEVEL","value":"info"},{"name":"POD_IP","valueFrom":\
      {"fieldRef":{"apiVersion":"v1","fieldPath":"status.podIP"}}}],"resources":{"limits":{"cpu":"2",\
      "memory":"1Gi"},"requests":{"cpu":"250m","memory":"512Mi"}},"volumeMounts":[{"name":"config",\
      "mountPath":"/etc/app"},{"name":"kube-api-access-x7x2k","readOnly":true,"mountPath":\
      "/var/run/secrets/kubernetes.io/serviceaccount"}],"livenessProbe":{"httpGet":{"path":"/healthz",\
      "port":"http","scheme":"HTTP"},"initialDelaySeconds":10,"timeoutSeconds":1,"periodSeconds":10,\
      "successThreshold":1,"failureThreshold":3},"readinessProbe":{"httpGet":{"path":"/readyz","port":8080,\
      "scheme":"HTTP"},"timeoutSeconds":1,"periodSeconds":5,"successThreshold":1,"failureThreshold":3},\
      "terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":\
      "IfNotPresent","securityContext":{"capabilities":{"drop":["ALL"]},"runAsNonRoot":true,\
      "allowPrivilegeEscalation":false}}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,\
      "dnsPolicy":"ClusterFirst","serviceAccountName":"%2$s","serviceAccount":"%2$s","nodeName":\
      "node-%7$d.example.com","securityContext":{"fsGroup":2000},"schedulerName":"default-scheduler",\
      "tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute",\
      "tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":\
      "NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":\
      "PreemptLowerPriority"},"status":{"phase":"Running","conditions":[{"type":"Initialized","status":\
      "True","lastProbeTime":null,"lastTransitionTime":"2026-05-04T10:%6$02d:12Z"},{"type":"Ready","status":\
      "True","lastProbeTime":null,"lastTransitionTime":"2026-05-04T10:%6$02d:19Z"},{"type":"ContainersReady",\
      "status":"True","lastProbeTime":null,"lastTransitionTime":"2026-05-04T10:%6$02d:19Z"},{"type":\
      "PodScheduled","status":"True","lastProbeTime":null,"lastTransitionTime":"2026-05-04T10:%6$02d:11Z"}],\
      "hostIP":"10.0.3.%7$d","podIP":"10.244.%7$d.%6$d","podIPs":[{"ip":"10.244.%7$d.%6$d"}],"startTime":\
      "2026-05-04T10:%6$02d:12Z","containerStatuses":[{"name":"server","state":{"running":{"startedAt":\
      "2026-05-04T10:%6$02d:14Z"}},"lastState":{},"ready":true,"restartCount":0,"image":\
      "registry.example.com/shop/%2$s:1.%6$d.3","imageID":"registry.example.com/shop/%2$s@sha256:%4$s",\
      "containerID":"containerd://%4$s","started":true}],"qosClass":"Burstable"}}}
      """;

  private static final String[] APPS = {"cart", "checkout", "payment", "search", "web", "worker"};

  private PodEvents() {}

  /** Returns a stream of so many bytes; behind the last event that fits there are spaces. */
  static byte[] stream(int size) {
    Random random = new Random(42);
    ByteArrayOutputStream stream = new ByteArrayOutputStream(size);
    for (int i = 0; ; i++) {
      byte[] event = event(random, i);
      if (stream.size() + event.length > size) {
        stream.writeBytes(" ".repeat(size - stream.size()).getBytes(UTF_8));
        return stream.toByteArray();
      }
      stream.writeBytes(event);
    }
  }

  /** Returns a pod, without the event around it. */
  public static String pod(int i) {
    String event = new String(event(new Random(i), i), UTF_8).strip();
    String begin = "\"object\":";
    return event.substring(event.indexOf(begin) + begin.length(), event.length() - 1);
  }

  private static byte[] event(Random random, int i) {
    String app = APPS[random.nextInt(APPS.length)];
    String name = "%s-7d9c5b8f6d-%05x".formatted(app, random.nextInt(1 << 20));
    String hex = "%016x%016x".formatted(random.nextLong(), random.nextLong());
    int minute = random.nextInt(60);
    int node = 1 + random.nextInt(100);
    return EVENT
        .formatted(name, app, "team-" + random.nextInt(10), hex, 1000000 + i, minute, node)
        .getBytes(UTF_8);
  }
}
