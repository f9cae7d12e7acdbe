package dev.clientgo.rest.config;

import dev.clientgo.rest.internal.text.HeaderValues;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The user that requests are made as, instead of the authenticated one, who must be allowed to.
 *
 * <p>Immutable. Corresponds to client-go's {@code rest.ImpersonationConfig}.
 */
public final class ImpersonationConfig {

  private final String userName;
  private final @Nullable String uid;
  private final List<String> groups;
  private final Map<String, List<String>> extra;

  private ImpersonationConfig(Builder builder) {
    userName = builder.userName;
    uid = builder.uid;
    groups = List.copyOf(builder.groups);
    Map<String, List<String>> copy = new LinkedHashMap<>();
    builder.extra.forEach((key, values) -> copy.put(key, List.copyOf(values)));
    extra = Collections.unmodifiableMap(copy);
  }

  /** Returns a builder for the user of that name; a server requires a name. */
  public static Builder builder(String userName) {
    return new Builder(userName);
  }

  /** Returns the name of the user. */
  public String userName() {
    return userName;
  }

  /** Returns the unique identifier of the user, null if not set. */
  public @Nullable String uid() {
    return uid;
  }

  /** Returns the groups of the user; if empty, the server derives them. */
  public List<String> groups() {
    return groups;
  }

  /** Returns further attributes of the user. */
  public Map<String, List<String>> extra() {
    return extra;
  }

  @Override
  public String toString() {
    return userName + (groups.isEmpty() ? "" : " in " + groups);
  }

  /** Builds an {@link ImpersonationConfig}. Not safe for use by many threads. */
  public static final class Builder {
    private final String userName;
    private @Nullable String uid;
    private final List<String> groups = new ArrayList<>();
    private final Map<String, List<String>> extra = new LinkedHashMap<>();

    private Builder(String userName) {
      if (userName.isEmpty()) {
        throw new IllegalArgumentException("the user to impersonate has no name");
      }
      this.userName = HeaderValues.check("the user to impersonate", userName);
    }

    /** Sets the unique identifier of the user. */
    public Builder uid(@Nullable String uid) {
      this.uid = uid == null ? null : HeaderValues.check("the uid to impersonate", uid);
      return this;
    }

    /** Adds a group. */
    public Builder group(String group) {
      groups.add(HeaderValues.check("a group to impersonate", group));
      return this;
    }

    /** Adds a value of a further attribute. */
    public Builder extra(String key, String value) {
      extra
          .computeIfAbsent(key, unused -> new ArrayList<>())
          .add(HeaderValues.check("an attribute to impersonate", value));
      return this;
    }

    /** Returns the configuration built. */
    public ImpersonationConfig build() {
      return new ImpersonationConfig(this);
    }
  }
}
