package dev.clientgo.rest.kubeconfig;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.ExecConfig;
import dev.clientgo.rest.ImpersonationConfig;
import dev.clientgo.rest.OidcConfig;
import dev.clientgo.rest.RestConfig;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One context of a kubeconfig, with what overrides it.
 *
 * <p>Corresponds to client-go's {@code clientcmd.DirectClientConfig}.
 */
final class ClientConfig {

  private final Context context;
  private final Cluster cluster;
  private final AuthInfo user;
  private final String clusterName;
  private final String userName;

  ClientConfig(
      KubeConfig config,
      @Nullable String contextName,
      Context contextOverride,
      Cluster clusterOverride,
      AuthInfo userOverride) {
    String name = contextName == null ? config.currentContext() : contextName;
    context = find(config.contexts(), name, "context", Context.EMPTY).overriddenBy(contextOverride);
    clusterName = orEmpty(context.cluster());
    userName = orEmpty(context.user());
    cluster =
        find(config.clusters(), context.cluster(), "cluster", Cluster.EMPTY)
            .overriddenBy(clusterOverride);
    user = find(config.users(), context.user(), "user", AuthInfo.EMPTY).overriddenBy(userOverride);
  }

  private static <T> T find(Map<String, T> entries, @Nullable String name, String what, T absent) {
    if (name == null) {
      return absent;
    }
    T entry = entries.get(name);
    if (entry == null) {
      throw new ConfigException(
          what
              + " \""
              + name
              + "\" does not exist: the kubeconfig has "
              + (entries.isEmpty() ? "no " + what : String.join(", ", entries.keySet())));
    }
    return entry;
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  RestConfig restConfig() {
    Validation problems = new Validation();
    problems.cluster(clusterName, cluster);
    problems.user(userName, user);
    problems.throwIfAny();
    RestConfig.Builder config =
        RestConfig.builder(orEmpty(cluster.server()))
            .disableCompression(cluster.disableCompression());
    if (context.namespace() != null) {
      config.namespace(context.namespace());
    }
    if (cluster.proxyUrl() != null) {
      config.proxy(URI.create(cluster.proxyUrl()));
    }
    impersonate(config);
    // As upstream: what the server would see in plain text is not sent at all.
    if (isTls()) {
      trust(config);
      authenticate(config);
    }
    return config.build();
  }

  private boolean isTls() {
    return RestConfig.builder(orEmpty(cluster.server())).build().isTls();
  }

  private void trust(RestConfig.Builder config) {
    byte[] data = cluster.certificateAuthorityData();
    if (data != null) {
      config.certificateAuthorityData(data);
    } else if (cluster.certificateAuthority() != null) {
      config.certificateAuthority(Path.of(cluster.certificateAuthority()));
    }
    config.insecure(cluster.insecureSkipTlsVerify()).tlsServerName(cluster.tlsServerName());
  }

  private void authenticate(RestConfig.Builder config) {
    config.bearerToken(user.token());
    if (user.tokenFile() != null) {
      config.bearerTokenFile(Path.of(user.tokenFile()));
    }
    if (user.username() != null || user.password() != null) {
      config.basicAuth(orEmpty(user.username()), orEmpty(user.password()));
    }
    exec(config);
    oidc(config);
    byte[] certificate = user.clientCertificateData();
    byte[] key = user.clientKeyData();
    if (certificate != null) {
      config.clientCertificateData(certificate);
    } else if (user.clientCertificate() != null) {
      config.clientCertificate(Path.of(user.clientCertificate()));
    }
    if (key != null) {
      config.clientKeyData(key);
    } else if (user.clientKey() != null) {
      config.clientKey(Path.of(user.clientKey()));
    }
  }

  private void exec(RestConfig.Builder config) {
    ExecConfig exec = user.exec();
    if (exec != null) {
      config.exec(
          exec.toBuilder()
              .clusterConfig(cluster.extension("client.authentication.k8s.io/exec"))
              .origin(origin())
              .build());
    }
  }

  private void oidc(RestConfig.Builder config) {
    if ("oidc".equals(user.authProvider())) {
      config.oidc(
          OidcConfig.of(user.authProviderConfig(), origin(), new UserPersister(userName, user)));
    }
  }

  private String origin() {
    Path file = user.origin();
    return "user \"" + userName + '"' + (file == null ? "" : " in kubeconfig " + file);
  }

  private void impersonate(RestConfig.Builder config) {
    String as = user.impersonate();
    if (as == null) {
      return;
    }
    ImpersonationConfig.Builder impersonate =
        ImpersonationConfig.builder(as).uid(user.impersonateUid());
    user.impersonateGroups().forEach(impersonate::group);
    user.impersonateUserExtra()
        .forEach((key, values) -> values.forEach(value -> impersonate.extra(key, value)));
    config.impersonate(impersonate.build());
  }
}
