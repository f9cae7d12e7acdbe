package dev.clientgo.rest.kubeconfig;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A combination of a cluster, a user and a namespace.
 *
 * <p>Immutable. Fields that this version does not know are kept. Corresponds to client-go's {@code
 * clientcmd/api.Context}.
 */
public final class Context extends ConfigEntry {

  /** A context without settings. */
  public static final Context EMPTY = new Context(YamlMapping.EMPTY, null);

  Context(YamlMapping tree, @Nullable Path origin) {
    super(tree, origin);
  }

  /** Returns a builder of a context without settings. */
  public static Builder builder() {
    return EMPTY.toBuilder();
  }

  /** Returns a builder that starts with this context. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Returns the name of the cluster. */
  public @Nullable String cluster() {
    return tree.string("cluster");
  }

  /** Returns the name of the user. */
  public @Nullable String user() {
    return tree.string("user");
  }

  /** Returns the namespace for calls that set none. */
  public @Nullable String namespace() {
    return tree.string("namespace");
  }

  /** Returns a copy with the settings of another context over it. */
  Context overriddenBy(Context other) {
    return new Context(tree.overlaidBy(other.tree), origin());
  }

  @Override
  public String toString() {
    return "Context[cluster=" + cluster() + ", user=" + user() + ", namespace=" + namespace() + "]";
  }

  /** Builds a {@link Context}. Not safe for use by many threads. */
  public static final class Builder {
    private final @Nullable Path origin;
    private YamlMapping tree;

    private Builder(Context context) {
      this.tree = context.tree;
      this.origin = context.origin();
    }

    /** Sets the name of the cluster. */
    public Builder cluster(@Nullable String cluster) {
      return set("cluster", cluster);
    }

    /** Sets the name of the user. */
    public Builder user(@Nullable String user) {
      return set("user", user);
    }

    /** Sets the namespace for calls that set none. */
    public Builder namespace(@Nullable String namespace) {
      return set("namespace", namespace);
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

    /** Returns the context built. */
    public Context build() {
      return new Context(tree, origin);
    }
  }
}
