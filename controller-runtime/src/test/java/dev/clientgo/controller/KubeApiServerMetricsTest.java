package dev.clientgo.controller;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.meta.options.CreateOptions;
import dev.clientgo.controller.webhook.ServingCertificate;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.kubernetes.authentication.v1.TokenRequest;
import dev.clientgo.kubernetes.authentication.v1.TokenRequestSpec;
import dev.clientgo.kubernetes.core.v1.ServiceAccount;
import dev.clientgo.kubernetes.rbac.v1.ClusterRole;
import dev.clientgo.kubernetes.rbac.v1.ClusterRoleBinding;
import dev.clientgo.kubernetes.rbac.v1.PolicyRule;
import dev.clientgo.kubernetes.rbac.v1.RoleRef;
import dev.clientgo.kubernetes.rbac.v1.Subject;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.certificates.TrustedAuthorities;
import dev.clientgo.rest.config.PemSource;
import dev.clientgo.testing.Eventually;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real tokens at the metrics address, reviewed by the real server with its permissions. */
final class KubeApiServerMetricsTest {

  private static final ServingCertificate CERTIFICATE = ServingCertificate.selfSigned();

  @TempDir private Path certificates;

  private static String token(RESTClient admin, String name) throws InterruptedException {
    admin
        .resource(ServiceAccount.TYPE)
        .inNamespace("default")
        .create(ServiceAccount.of("default", name, a -> {}));
    return admin
        .resource(ServiceAccount.TYPE)
        .inNamespace("default")
        .subresource("token", TokenRequest.CODEC)
        .create(
            name,
            TokenRequest.of(
                r ->
                    r.spec(
                        TokenRequestSpec.of(
                            s ->
                                s.expirationSeconds(3600L)
                                    .audiences(List.of("https://kubernetes.default.svc"))))),
            CreateOptions.builder().build())
        .status()
        .token();
  }

  private static void grant(RESTClient admin, String account, PolicyRule... rules)
      throws InterruptedException {
    admin.resource(ClusterRole.TYPE).create(ClusterRole.of(account, r -> r.rules(List.of(rules))));
    admin
        .resource(ClusterRoleBinding.TYPE)
        .create(
            ClusterRoleBinding.of(
                account,
                b ->
                    b.roleRef(
                            RoleRef.of(
                                r ->
                                    r.apiGroup("rbac.authorization.k8s.io")
                                        .kind("ClusterRole")
                                        .name(account)))
                        .subjects(
                            List.of(
                                Subject.of(
                                    s ->
                                        s.kind("ServiceAccount")
                                            .namespace("default")
                                            .name(account))))));
  }

  private static PolicyRule creates(String group, String resource) {
    return PolicyRule.of(
        r -> r.apiGroups(List.of(group)).resources(List.of(resource)).verbs(List.of("create")));
  }

  private static int code(Manager manager, String path, String token) {
    try {
      SSLContext tls = SSLContext.getInstance("TLS");
      PemSource trusted = new PemSource.Data(CERTIFICATE.caBundle().getBytes(US_ASCII));
      tls.init(null, new TrustManager[] {TrustedAuthorities.read(trusted)}, null);
      int port = manager.metricsAddress().orElseThrow().getPort();
      return HttpClient.newBuilder()
          .sslContext(tls)
          .build()
          .send(
              HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path))
                  .header("Authorization", "Bearer " + token)
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .statusCode();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  @Timeout(300)
  void tokensOfServiceAccounts_areReviewedByTheServer() throws Exception {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
    CERTIFICATE.writeTo(certificates);
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (KubeApiServer server = KubeApiServer.start();
        RESTClient admin = RESTClient.create(server.restConfig())) {
      String scraper = token(admin, "scraper");
      String stranger = token(admin, "stranger");
      String own = token(admin, "operator");
      grant(
          admin,
          "scraper",
          PolicyRule.of(r -> r.nonResourceURLs(List.of("/metrics")).verbs(List.of("get"))));
      grant(
          admin,
          "operator",
          creates("authentication.k8s.io", "tokenreviews"),
          creates("authorization.k8s.io", "subjectaccessreviews"));
      try (RESTClient client =
              RESTClient.create(
                  server.restConfig().anonymous().toBuilder().bearerToken(own).build());
          Manager manager =
              Manager.builder(client)
                  .metricsBindAddress(any)
                  .metricsCertificates(certificates)
                  .authorizeMetrics()
                  .build()) {
        manager.start();

        Eventually.await(
            "the roles in the server's caches", () -> code(manager, "/metrics", scraper) == 200);
        // Though a role of the server lets each user get /healthz and /readyz.
        assertThat(code(manager, "/readyz", stranger)).isEqualTo(403);
        assertThat(code(manager, "/debug/reconciles", scraper)).isEqualTo(403);
        assertThat(code(manager, "/metrics", stranger)).isEqualTo(403);
        assertThat(code(manager, "/metrics", stranger + "x")).isEqualTo(401);
        assertThat(code(manager, "/metrics", "")).isEqualTo(401);
      }
    }
  }
}
