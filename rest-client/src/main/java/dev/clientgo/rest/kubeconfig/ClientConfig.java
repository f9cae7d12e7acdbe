package dev.clientgo.rest.kubeconfig;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.config.ExecConfig;
import dev.clientgo.rest.config.ImpersonationConfig;
import dev.clientgo.rest.config.OidcConfig;
import dev.clientgo.rest.config.RestConfig;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.PasswordAuthentication;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One context of a kubeconfig, with overrides.
 *
 * <p>Corresponds to client-go's {@code clientcmd.DirectClientConfig}.
 */
final class ClientConfig {

  private static final Logger LOG = System.getLogger(ClientConfig.class.getName());

  private final Context context;
  private final Cluster cluster;
  private final AuthInfo user;
  private final String contextName;
  private final String clusterName;
  private final String userName;
  private final @Nullable Supplier<PasswordAuthentication> prompt;
  private final boolean hasCluster;

  /**
   * Chooses a context.
   *
   * @param source the name of the kubeconfig, for messages
   * @throws ConfigException if the context or an override of it does not exist
   */
  ClientConfig(KubeConfig config, Overrides overrides, String source) {
    String asked = overrides.contextName();
    String name = asked == null ? orEmpty(config.currentContext()) : asked;
    Context found = find(config.contexts(), name, "context", Context.EMPTY, source);
    contextName = name;
    context = found.overriddenBy(overrides.context());
    clusterName = orEmpty(context.cluster());
    userName = orEmpty(context.user());
    Cluster of =
        overrides.cluster().server() == null || overrides.context().cluster() != null
            ? find(config.clusters(), clusterName, "cluster", Cluster.EMPTY, source)
            : config.clusters().getOrDefault(clusterName, Cluster.EMPTY);
    Cluster named = of.above(overrides.defaults());
    cluster = named.overriddenBy(overrides.cluster());
    // As in client-go: a certificate authority alone may be that of the pod's server.
    hasCluster =
        !named.equals(Cluster.EMPTY)
            || !overrides.cluster().toBuilder()
                .certificateAuthority(null)
                .build()
                .equals(Cluster.EMPTY);
    user = user(config, overrides, source).overriddenBy(overrides.user());
    prompt = overrides.prompt();
  }

  /** As in kubectl, a user that does not exist is anonymous, unless an override names it. */
  private AuthInfo user(KubeConfig config, Overrides overrides, String source) {
    if (overrides.context().user() != null) {
      return find(config.users(), userName, "user", AuthInfo.EMPTY, source);
    }
    AuthInfo found = config.users().get(userName);
    if (found == null && !userName.isEmpty() && overrides.user().equals(AuthInfo.EMPTY)) {
      LOG.log(
          Level.WARNING,
          "A user does not exist, requests carry no credentials: user={0} config={1} users={2}",
          userName,
          source,
          names(config.users(), "user"));
    }
    return found == null ? AuthInfo.EMPTY : found;
  }

  private static <T> T find(
      Map<String, T> entries, String name, String what, T absent, String source) {
    T entry = entries.get(name);
    if (entry == null && !name.isEmpty()) {
      throw new ConfigException(
          what + " \"" + name + "\" does not exist: " + source + " has " + names(entries, what));
    }
    return entry == null ? absent : entry;
  }

  static String names(Map<String, ?> entries, String what) {
    return entries.isEmpty() ? "no " + what : String.join(", ", entries.keySet());
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  /** Returns whether anything but a certificate authority is set about the cluster. */
  boolean hasCluster() {
    return hasCluster;
  }

  /** Returns whether a namespace is set. */
  boolean hasNamespace() {
    return context.namespace() != null;
  }

  RestConfig restConfig() {
    Validation problems = new Validation();
    problems.cluster(clusterName, cluster);
    problems.user(userName, user);
    problems.throwIfAny();
    RestConfig server = located(RestConfig.builder(orEmpty(cluster.server())), "cluster");
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
    // As in client-go: credentials are never sent in plain text.
    if (server.isTls()) {
      trust(config);
      authenticate(config);
    }
    return located(config, "context");
  }

  /** Adds the place of the problem to the error. */
  private RestConfig located(RestConfig.Builder config, String what) {
    try {
      return config.build();
    } catch (ConfigException e) {
      String where =
          what.equals("cluster")
              ? Validation.describe(what, clusterName, cluster.origin())
              : Validation.describe(what, contextName, context.origin());
      throw new ConfigException(where + ": " + e.getMessage(), e);
    }
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
    config.userOrigin(origin());
    config.bearerToken(user.token());
    if (user.tokenFile() != null) {
      config.bearerTokenFile(Path.of(user.tokenFile()));
    }
    if (user.username() != null || user.password() != null) {
      config.basicAuth(orEmpty(user.username()), orEmpty(user.password()));
    }
    exec(config);
    oidc(config);
    if (prompt != null && isNobody()) {
      PasswordAuthentication answer = prompt.get();
      config.basicAuth(answer.getUserName(), new String(answer.getPassword()));
    }
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

  private boolean isNobody() {
    return Stream.of(
            "username",
            "client-certificate",
            "client-certificate-data",
            "token",
            "tokenFile",
            "auth-provider",
            "exec")
        .noneMatch(user.tree()::has);
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
    return Validation.describe("user", userName, user.origin());
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
