package dev.clientgo.rest.kubeconfig;

import dev.clientgo.rest.internal.text.ServerUrl;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The URL of a cluster's API server, and the certificates to trust.
 *
 * <p>Immutable. Fields that this version does not know are kept. Corresponds to client-go's {@code
 * clientcmd/api.Cluster}.
 */
public final class Cluster extends ConfigEntry {

  /** A cluster without settings. */
  public static final Cluster EMPTY = new Cluster(YamlMapping.EMPTY, null);

  Cluster(YamlMapping tree, @Nullable Path origin) {
    super(tree, origin);
  }

  /** Returns a builder of a cluster without settings. */
  public static Builder builder() {
    return EMPTY.toBuilder();
  }

  /** Returns a builder that starts with this cluster. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Returns the URL of the API server. */
  public @Nullable String server() {
    return tree.string("server");
  }

  /** Returns the name that the server's certificate must have; null for the host of the URL. */
  public @Nullable String tlsServerName() {
    return tree.string("tls-server-name");
  }

  /** Returns whether the server's certificate is not checked. */
  public boolean insecureSkipTlsVerify() {
    return tree.bool("insecure-skip-tls-verify");
  }

  /** Returns the file with the certificates to trust. */
  public @Nullable String certificateAuthority() {
    return tree.string("certificate-authority");
  }

  /** Returns the certificates to trust, in PEM form. */
  public byte @Nullable [] certificateAuthorityData() {
    return tree.base64("certificate-authority-data");
  }

  /** Returns the URL of the proxy. */
  public @Nullable String proxyUrl() {
    return tree.string("proxy-url");
  }

  /** Returns whether responses are requested without compression. */
  public boolean disableCompression() {
    return tree.bool("disable-compression");
  }

  /** Returns a copy with defaults for what this cluster does not set. */
  Cluster above(Cluster defaults) {
    return new Cluster(tree.above(defaults.tree), origin());
  }

  /**
   * Returns a copy with the settings of another cluster over it. The settings about trust are
   * replaced as a whole, and a new server also replaces the TLS server name.
   */
  Cluster overriddenBy(Cluster other) {
    YamlMapping merged = tree.overlaidBy(other.tree);
    if (other.server() != null && other.tlsServerName() == null) {
      merged = merged.with("tls-server-name", null);
    }
    if (other.insecureSkipTlsVerify()
        || other.certificateAuthority() != null
        || other.tree.has("certificate-authority-data")) {
      for (String field :
          new String[] {
            "insecure-skip-tls-verify", "certificate-authority", "certificate-authority-data"
          }) {
        merged = merged.with(field, other.tree.fields().get(field));
      }
    }
    return new Cluster(merged, origin());
  }

  @Override
  public String toString() {
    String server = server();
    return "Cluster[" + (server == null ? null : ServerUrl.withoutUserInfo(server)) + "]";
  }

  /** Builds a {@link Cluster}. Not safe for use by many threads. */
  public static final class Builder {
    private final @Nullable Path origin;
    private YamlMapping tree;

    private Builder(Cluster cluster) {
      this.tree = cluster.tree;
      this.origin = cluster.origin();
    }

    /** Sets the URL of the API server. */
    public Builder server(@Nullable String server) {
      return set("server", server);
    }

    /** Sets the name that the server's certificate must have. */
    public Builder tlsServerName(@Nullable String tlsServerName) {
      return set("tls-server-name", tlsServerName);
    }

    /** Sets whether the server's certificate is not checked. */
    public Builder insecureSkipTlsVerify(boolean insecureSkipTlsVerify) {
      return set("insecure-skip-tls-verify", insecureSkipTlsVerify ? true : null);
    }

    /** Sets the file with the certificates to trust. */
    public Builder certificateAuthority(@Nullable String file) {
      return set("certificate-authority", file);
    }

    /** Sets the certificates to trust, in PEM form. */
    public Builder certificateAuthorityData(byte @Nullable [] pem) {
      return set(
          "certificate-authority-data",
          pem == null ? null : Base64.getEncoder().encodeToString(pem));
    }

    /** Sets the URL of the proxy. */
    public Builder proxyUrl(@Nullable String proxyUrl) {
      return set("proxy-url", proxyUrl);
    }

    /** Sets whether responses are requested without compression. */
    public Builder disableCompression(boolean disableCompression) {
      return set("disable-compression", disableCompression ? true : null);
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

    /** Returns the cluster built. */
    public Cluster build() {
      return new Cluster(tree, origin);
    }
  }
}
