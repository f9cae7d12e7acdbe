package dev.clientgo.rest.kubeconfig;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.config.ExecConfig;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who a user is to a cluster. The text form shows no secret.
 *
 * <p>Immutable. Fields that this version does not know are kept. Corresponds to client-go's {@code
 * clientcmd/api.AuthInfo}.
 */
public final class AuthInfo {

  /** A user of whom nothing is known. */
  public static final AuthInfo EMPTY = new AuthInfo(Tree.EMPTY, null);

  private final Tree tree;
  private final @Nullable Path origin;

  AuthInfo(Tree tree, @Nullable Path origin) {
    this.tree = tree;
    this.origin = origin;
  }

  /** Returns a builder of a user of whom nothing is known. */
  public static Builder builder() {
    return EMPTY.toBuilder();
  }

  /** Returns a builder that starts with this user. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Returns the file that the user was read from. */
  public @Nullable Path origin() {
    return origin;
  }

  /** Returns the file with the user's certificate. */
  public @Nullable String clientCertificate() {
    return tree.string("client-certificate");
  }

  /** Returns the user's certificate, in PEM form. */
  public byte @Nullable [] clientCertificateData() {
    return tree.base64("client-certificate-data");
  }

  /** Returns the file with the key of the certificate. */
  public @Nullable String clientKey() {
    return tree.string("client-key");
  }

  /** Returns the key of the certificate, in PEM form. */
  public byte @Nullable [] clientKeyData() {
    return tree.base64("client-key-data");
  }

  /** Returns the bearer token. */
  public @Nullable String token() {
    return tree.string("token");
  }

  /** Returns the file with the bearer token. */
  public @Nullable String tokenFile() {
    return tree.string("tokenFile");
  }

  /** Returns the name for basic authentication. */
  public @Nullable String username() {
    return tree.string("username");
  }

  /** Returns the password for basic authentication. */
  public @Nullable String password() {
    return tree.string("password");
  }

  /** Returns the user to act as. */
  public @Nullable String impersonate() {
    return tree.string("as");
  }

  /** Returns the uid of the user to act as. */
  public @Nullable String impersonateUid() {
    return tree.string("as-uid");
  }

  /** Returns the groups to act in. */
  public List<String> impersonateGroups() {
    return tree.strings("as-groups");
  }

  /** Returns further attributes of the user to act as. */
  public Map<String, List<String>> impersonateUserExtra() {
    Map<String, List<String>> extra = new LinkedHashMap<>();
    Tree values = tree.tree("as-user-extra");
    if (values != null) {
      values.fields().keySet().forEach(key -> extra.put(key, values.strings(key)));
    }
    return extra;
  }

  /**
   * Returns the program that credentials come from.
   *
   * @throws ConfigException if what is said about it is not right
   */
  public @Nullable ExecConfig exec() {
    Tree exec = tree.tree("exec");
    return exec == null ? null : Exec.read(exec);
  }

  /** Returns the name of the auth provider that credentials come from. */
  public @Nullable String authProvider() {
    Tree provider = tree.tree("auth-provider");
    return provider == null ? null : provider.string("name");
  }

  /** Returns what the auth provider is told, tokens among it. */
  public Map<String, String> authProviderConfig() {
    Tree provider = tree.tree("auth-provider");
    Tree config = provider == null ? null : provider.tree("config");
    Map<String, String> values = new LinkedHashMap<>();
    if (config != null) {
      for (String field : config.fields().keySet()) {
        String value = config.string(field);
        values.put(field, value == null ? "" : value);
      }
    }
    return values;
  }

  /**
   * Returns what somebody has added about the user under this name: maps, lists, texts, numbers and
   * truth values; null if there is nothing.
   */
  public @Nullable Object extension(String name) {
    return tree.extension(name);
  }

  Tree tree() {
    return tree;
  }

  /**
   * Returns this user with what another one sets. A certificate or key displaces both its forms.
   */
  AuthInfo overriddenBy(AuthInfo other) {
    Tree merged = tree.overlaidBy(other.tree);
    for (String field : List.of("client-certificate", "client-key")) {
      String data = field + "-data";
      if (other.tree.has(field) || other.tree.has(data)) {
        merged =
            merged
                .with(field, other.tree.fields().get(field))
                .with(data, other.tree.fields().get(data));
      }
    }
    return new AuthInfo(merged, origin);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof AuthInfo user && tree.equals(user.tree);
  }

  @Override
  public int hashCode() {
    return tree.hashCode();
  }

  @Override
  public String toString() {
    return "AuthInfo" + tree;
  }

  /** Builds an {@link AuthInfo}. Not safe for use by many threads. */
  public static final class Builder {
    private final @Nullable Path origin;
    private Tree tree;

    private Builder(AuthInfo user) {
      this.tree = user.tree;
      this.origin = user.origin;
    }

    /** Sets the file with the user's certificate. */
    public Builder clientCertificate(@Nullable String file) {
      return set("client-certificate", file);
    }

    /** Sets the user's certificate, in PEM form. */
    public Builder clientCertificateData(byte @Nullable [] pem) {
      return set("client-certificate-data", base64(pem));
    }

    /** Sets the file with the key of the certificate. */
    public Builder clientKey(@Nullable String file) {
      return set("client-key", file);
    }

    /** Sets the key of the certificate, in PEM form. */
    public Builder clientKeyData(byte @Nullable [] pem) {
      return set("client-key-data", base64(pem));
    }

    /** Sets the bearer token. */
    public Builder token(@Nullable String token) {
      return set("token", token);
    }

    /** Sets the file with the bearer token. */
    public Builder tokenFile(@Nullable String file) {
      return set("tokenFile", file);
    }

    /** Sets name and password for basic authentication. */
    public Builder basicAuth(@Nullable String username, @Nullable String password) {
      return set("username", username).set("password", password);
    }

    /** Sets the user to act as. */
    public Builder impersonate(@Nullable String user) {
      return set("as", user);
    }

    /** Sets the uid of the user to act as. */
    public Builder impersonateUid(@Nullable String uid) {
      return set("as-uid", uid);
    }

    /** Sets the groups to act in. */
    public Builder impersonateGroups(List<String> groups) {
      return set("as-groups", groups.isEmpty() ? null : List.copyOf(groups));
    }

    /** Sets further attributes of the user to act as. */
    public Builder impersonateUserExtra(Map<String, List<String>> extra) {
      return set("as-user-extra", extra.isEmpty() ? null : new LinkedHashMap<>(extra));
    }

    /** Sets the program that credentials come from. */
    public Builder exec(@Nullable ExecConfig exec) {
      return set("exec", exec == null ? null : Exec.write(exec));
    }

    /** Sets the auth provider that credentials come from, and what it is told. */
    public Builder authProvider(String name, Map<String, String> config) {
      return set("auth-provider", Map.of("name", name, "config", new LinkedHashMap<>(config)));
    }

    private static @Nullable String base64(byte @Nullable [] bytes) {
      return bytes == null ? null : Base64.getEncoder().encodeToString(bytes);
    }

    /**
     * Sets what is added under this name: maps, lists, texts, numbers and truth values; null
     * removes it.
     */
    public Builder extension(String name, @Nullable Object extension) {
      tree = tree.withExtension(name, extension);
      return this;
    }

    private Builder set(String field, @Nullable Object value) {
      tree = tree.with(field, value);
      return this;
    }

    /** Returns the user built. */
    public AuthInfo build() {
      return new AuthInfo(tree, origin);
    }
  }
}
