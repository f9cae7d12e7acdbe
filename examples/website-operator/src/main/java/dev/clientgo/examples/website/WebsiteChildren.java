package dev.clientgo.examples.website;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.examples.website.api.web.v1.Website;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Container;
import dev.clientgo.kubernetes.core.v1.Service;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The objects that a Website should have: nothing here reads a server or the clock. */
record WebsiteChildren(ConfigMap pages, Deployment servers, Service service) {

  /** The label that distinguishes the operator's objects from others. */
  static final String MANAGED_BY = "app.kubernetes.io/managed-by";

  /** The annotation of the pod template with the hash of the pages: new pages, new pods. */
  static final String PAGES_HASH = "web.example.com/pages-hash";

  private static final int PORT = 8080;

  /** Returns the objects of a site. */
  static WebsiteChildren of(Website site) {
    ObjectName name = ObjectName.of(site);
    Map<String, String> selected =
        Map.of("app.kubernetes.io/name", "website", "app.kubernetes.io/instance", name.name());
    Map<String, String> labels = new TreeMap<>(selected);
    labels.put(MANAGED_BY, WebsiteOperator.NAME);
    return new WebsiteChildren(
        pages(site, name, labels),
        servers(site, name, labels, selected),
        service(name, labels, selected));
  }

  private static ConfigMap pages(Website site, ObjectName name, Map<String, String> labels) {
    return ConfigMap.of(
        name.namespace(),
        name.name(),
        map -> map.editMetadata(m -> m.labels(labels)).data(site.spec().pages()));
  }

  private static Deployment servers(
      Website site, ObjectName name, Map<String, String> labels, Map<String, String> selected) {
    return Deployment.of(
        name.namespace(),
        name.name(),
        deployment ->
            deployment
                .editMetadata(m -> m.labels(labels))
                .editSpec(
                    spec ->
                        spec.replicas(replicas(site))
                            .editSelector(selector -> selector.matchLabels(selected))
                            .editTemplate(
                                pod ->
                                    pod.editMetadata(
                                            m ->
                                                m.labels(labels)
                                                    .annotations(
                                                        Map.of(
                                                            PAGES_HASH, hash(site.spec().pages()))))
                                        .editSpec(
                                            p ->
                                                p.automountServiceAccountToken(false)
                                                    .addContainers(c -> server(c, site))
                                                    .addVolumes(
                                                        v ->
                                                            v.name("pages")
                                                                .editConfigMap(
                                                                    source ->
                                                                        source.name(
                                                                            name.name())))))));
  }

  private static void server(Container.Builder server, Website site) {
    server
        .name("nginx")
        .image(site.spec().image())
        .addPorts(port -> port.name("http").containerPort(PORT))
        .addVolumeMounts(
            mount -> mount.name("pages").mountPath("/usr/share/nginx/html").readOnly(true))
        .editReadinessProbe(probe -> probe.editTcpSocket(s -> s.port(IntOrString.of("http"))))
        .editSecurityContext(
            security ->
                security
                    .runAsNonRoot(true)
                    .allowPrivilegeEscalation(false)
                    .editCapabilities(capabilities -> capabilities.drop(List.of("ALL"))));
  }

  private static Service service(
      ObjectName name, Map<String, String> labels, Map<String, String> selected) {
    return Service.of(
        name.namespace(),
        name.name(),
        service ->
            service
                .editMetadata(m -> m.labels(labels))
                .editSpec(
                    spec ->
                        spec.selector(selected)
                            .addPorts(
                                port ->
                                    port.name("http")
                                        .port(80)
                                        .targetPort(IntOrString.of("http")))));
  }

  /** Returns the number of servers; the definition has the default for those that set none. */
  static int replicas(Website site) {
    Integer replicas = site.spec().replicas();
    return replicas == null ? 1 : replicas;
  }

  /** Returns the hash of the pages, whatever their order. */
  static String hash(Map<String, String> pages) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      new TreeMap<>(pages)
          .forEach(
              (name, page) -> {
                digest.update((name.length() + " " + name).getBytes(UTF_8));
                digest.update((page.length() + " " + page).getBytes(UTF_8));
              });
      return HexFormat.of().formatHex(digest.digest(), 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }
}
