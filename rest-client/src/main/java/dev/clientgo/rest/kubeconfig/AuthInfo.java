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
 * The credentials of a user. The text form shows no secret.
 *
 * <p>Immutable. Fields that this version does not know are kept. Corresponds to client-go's {@code
 * clientcmd/api.AuthInfo}.
 */
public final class AuthInfo extends ConfigEntry {

  /** A user without settings. */
  public static final AuthInfo EMPTY = new AuthInfo(YamlMapping.EMPTY, null);

  AuthInfo(YamlMapping tree, @Nullable Path origin) {
    super(tree, origin);
  }

  /** Returns a builder of a user without settings. */
  public static Builder builder() {
    return EMPTY.toBuilder();
  }

  /** Returns a builder that starts with this user. */
  public Builder toBuilder() {
    return new Builder(this);
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

  /** Returns the user to impersonate. */
  public @Nullable String impersonate() {
    return tree.string("as");
  }

  /** Returns the uid of the user to impersonate. */
  public @Nullable String impersonateUid() {
    return tree.string("as-uid");
  }

  /** Returns the groups of the user to impersonate. */
  public List<String> impersonateGroups() {
    return tree.strings("as-groups");
  }

  /** Returns further attributes of the user to impersonate. */
  public Map<String, List<String>> impersonateUserExtra() {
    Map<String, List<String>> extra = new LinkedHashMap<>();
    YamlMapping values = tree.tree("as-user-extra");
    if (values != null) {
      values.fields().keySet().forEach(key -> extra.put(key, values.strings(key)));
    }
    return extra;
  }

  /**
   * Returns the credential plugin, null if there is none.
   *
   * @throws ConfigException if its settings are not valid
   */
  public @Nullable ExecConfig exec() {
    YamlMapping exec = tree.tree("exec");
    return exec == null ? null : ExecMapping.read(exec);
  }

  /** Returns the name of the auth provider, null if there is none. */
  public @Nullable String authProvider() {
    YamlMapping provider = tree.tree("auth-provider");
    return provider == null ? null : provider.string("name");
  }

  /** Returns the settings of the auth provider, tokens included. */
  public Map<String, String> authProviderConfig() {
    YamlMapping provider = tree.tree("auth-provider");
    YamlMapping config = provider == null ? null : provider.tree("config");
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
   * Returns a copy with the settings of another user over it. A certificate or a key replaces both
   * its file and its data.
   */
  AuthInfo overriddenBy(AuthInfo other) {
    YamlMapping merged = tree.overlaidBy(other.tree);
    for (String field : List.of("client-certificate", "client-key")) {
      String data = field + "-data";
      if (other.tree.has(field) || other.tree.has(data)) {
        merged =
            merged
                .with(field, other.tree.fields().get(field))
                .with(data, other.tree.fields().get(data));
      }
    }
    return new AuthInfo(merged, origin());
  }

  @Override
  public String toString() {
    return "AuthInfo" + tree;
  }

  /** Builds an {@link AuthInfo}. Not safe for use by many threads. */
  public static final class Builder {
    private final @Nullable Path origin;
    private YamlMapping tree;

    private Builder(AuthInfo user) {
      this.tree = user.tree;
      this.origin = user.origin();
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

    /** Sets the user to impersonate. */
    public Builder impersonate(@Nullable String user) {
      return set("as", user);
    }

    /** Sets the uid of the user to impersonate. */
    public Builder impersonateUid(@Nullable String uid) {
      return set("as-uid", uid);
    }

    /** Sets the groups of the user to impersonate. */
    public Builder impersonateGroups(List<String> groups) {
      return set("as-groups", groups.isEmpty() ? null : List.copyOf(groups));
    }

    /** Sets further attributes of the user to impersonate. */
    public Builder impersonateUserExtra(Map<String, List<String>> extra) {
      return set("as-user-extra", extra.isEmpty() ? null : new LinkedHashMap<>(extra));
    }

    /** Sets the credential plugin. */
    public Builder exec(@Nullable ExecConfig exec) {
      return set("exec", exec == null ? null : ExecMapping.write(exec));
    }

    /** Sets the auth provider and its settings. */
    public Builder authProvider(String name, Map<String, String> config) {
      return set("auth-provider", Map.of("name", name, "config", new LinkedHashMap<>(config)));
    }

    private static @Nullable String base64(byte @Nullable [] bytes) {
      return bytes == null ? null : Base64.getEncoder().encodeToString(bytes);
    }

    /**
     * Sets the extension of that name: maps, lists, strings, numbers and booleans; null removes it.
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
