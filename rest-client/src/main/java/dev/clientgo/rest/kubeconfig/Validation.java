package dev.clientgo.rest.kubeconfig;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.validation.NameRule;
import dev.clientgo.rest.config.OidcConfig;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Collects the problems of a configuration, to report them all at once. */
final class Validation {

  private static final Set<String> PROXY_SCHEMES = Set.of("http", "https", "socks5");

  /** The plugins that replace the removed auth providers. */
  private static final Map<String, String> PLUGINS =
      Map.of("gcp", "gke-gcloud-auth-plugin", "azure", "kubelogin");

  /** What the fields do here that only a trusted writer may ask for. */
  private static final Map<String, String> TRUSTED =
      new TreeMap<>(
          Map.of(
              "exec", "which would run a program",
              "auth-provider", "which would ask an identity provider: give a token",
              "tokenFile", "a file of this machine: give token",
              "client-certificate", "a file of this machine: give client-certificate-data",
              "client-key", "a file of this machine: give client-key-data",
              "certificate-authority", "a file of this machine: give certificate-authority-data"));

  private final List<String> problems = new ArrayList<>();

  /** Describes an entry and its file. */
  static String describe(String what, String name, @Nullable Path origin) {
    return (name.isEmpty() ? "the " + what + " without a name" : what + " \"" + name + '"')
        + (origin == null ? "" : " in kubeconfig " + origin);
  }

  /** Checks that an entry runs no program and reads no file. */
  void untrusted(String what, String name, YamlMapping tree) {
    TRUSTED.forEach(
        (field, why) -> {
          if (tree.has(field)) {
            problems.add(describe(what, name, null) + " has " + field + ", " + why);
          }
        });
  }

  /** Adds a problem. */
  void add(String problem) {
    problems.add(problem);
  }

  /** Checks a context and what it refers to. */
  void context(String name, Context context, Map<String, ?> users, Map<String, ?> clusters) {
    String subject = describe("context", name, context.origin());
    if (name.isEmpty()) {
      problems.add("a context has no name");
    }
    reference(subject, "user", context.user(), users);
    reference(subject, "cluster", context.cluster(), clusters);
    String namespace = context.namespace();
    if (namespace != null && !NameRule.DNS1123_LABEL.accepts(namespace)) {
      problems.add(subject + ": namespace \"" + namespace + "\" is not a valid namespace");
    }
  }

  private void reference(
      String subject, String what, @Nullable String name, Map<String, ?> entries) {
    if (name == null) {
      problems.add(subject + " names no " + what);
    } else if (!entries.containsKey(name)) {
      problems.add(subject + ": " + what + " \"" + name + "\" does not exist");
    }
  }

  /** Checks a cluster. */
  void cluster(String name, Cluster cluster) {
    String subject = describe("cluster", name, cluster.origin());
    if (cluster.server() == null) {
      problems.add(subject + " has no server");
    }
    String proxy = cluster.proxyUrl();
    if (proxy != null && !isProxy(proxy)) {
      problems.add(subject + " has a proxy-url that is not an http, https or socks5 URL");
    }
    both(subject, cluster.tree(), "certificate-authority");
    readable(subject, "certificate-authority", cluster.certificateAuthority());
  }

  private static boolean isProxy(String url) {
    try {
      URI uri = URI.create(url);
      return uri.getHost() != null
          && uri.getScheme() != null
          && PROXY_SCHEMES.contains(uri.getScheme());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Checks a user. */
  void user(String name, AuthInfo user) {
    String subject = describe("user", name, user.origin());
    if (user.token() != null && (user.username() != null || user.password() != null)) {
      problems.add(subject + " has both a token and a password: only one is allowed");
    }
    if (user.tree().has("client-certificate") || user.tree().has("client-certificate-data")) {
      both(subject, user.tree(), "client-certificate");
      both(subject, user.tree(), "client-key");
      if (!user.tree().has("client-key") && !user.tree().has("client-key-data")) {
        problems.add(subject + " has a client-certificate but no client-key");
      }
      readable(subject, "client-certificate", user.clientCertificate());
      readable(subject, "client-key", user.clientKey());
    }
    if (user.token() == null) {
      readable(subject, "tokenFile", user.tokenFile());
    }
    exec(subject, user);
    authProvider(subject, user);
    boolean more =
        user.impersonateUid() != null
            || !user.impersonateGroups().isEmpty()
            || !user.impersonateUserExtra().isEmpty();
    if (more && user.impersonate() == null) {
      problems.add(subject + " impersonates a uid, groups or extra, but no user: set as");
    }
  }

  /** Rejects unknown auth providers, because requests would otherwise be anonymous. */
  private void authProvider(String subject, AuthInfo user) {
    if (!user.tree().has("auth-provider")) {
      return;
    }
    String name = user.authProvider();
    String plugin = PLUGINS.get(name == null ? "" : name);
    if (plugin != null) {
      problems.add(
          subject
              + " uses the auth-provider "
              + name
              + ", which Kubernetes has removed: use exec with the plugin "
              + plugin
              + " instead");
    } else if (!"oidc".equals(name)) {
      problems.add(
          subject
              + " uses the auth-provider "
              + (name == null ? "without a name" : name)
              + ", which does not exist: the one there is, is oidc; for others there is exec");
    } else {
      try {
        OidcConfig.of(user.authProviderConfig(), subject, unused -> {});
      } catch (ConfigException e) {
        problems.add(subject + ": " + e.getMessage());
      }
    }
  }

  private void exec(String subject, AuthInfo user) {
    if (user.tree().has("exec") && user.tree().has("auth-provider")) {
      problems.add(subject + " has both exec and auth-provider: remove one of the two");
    }
    try {
      user.exec();
    } catch (ConfigException e) {
      problems.add(subject + ": " + e.getMessage());
    }
  }

  private void both(String subject, YamlMapping tree, String field) {
    if (tree.string(field) != null && tree.string(field + "-data") != null) {
      problems.add(subject + " has both " + field + " and " + field + "-data: remove one");
    }
  }

  private void readable(String subject, String field, @Nullable String file) {
    if (file == null) {
      return;
    }
    Path path = Path.of(file);
    if (!Files.exists(path)) {
      problems.add(subject + ": " + field + ": there is no file " + file);
    } else if (Files.isDirectory(path) || !Files.isReadable(path)) {
      problems.add(
          subject
              + ": "
              + field
              + " "
              + file
              + (Files.isDirectory(path) ? " is a directory" : " may not be read by this user"));
    }
  }

  /** Throws an exception with all problems, if there are any. */
  void throwIfAny() {
    if (!problems.isEmpty()) {
      throw new ConfigException("invalid configuration: " + String.join("; ", problems));
    }
  }
}
