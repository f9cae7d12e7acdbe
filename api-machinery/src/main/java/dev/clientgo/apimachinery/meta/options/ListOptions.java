package dev.clientgo.apimachinery.meta.options;

import dev.clientgo.apimachinery.fields.FieldSelector;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Options for listing and watching objects.
 *
 * <p>In a list, an absent version means the most recent state, {@code "0"} any state that the
 * server has cached, and any other a state at least as new. In a watch, an absent version or {@code
 * "0"} means to begin with the current state as added objects, and any other to begin after that
 * version. Immutable. Corresponds to client-go's {@code metav1.ListOptions}; the called method
 * decides between list and watch.
 */
public final class ListOptions {

  /** The server's defaults. */
  public static final ListOptions NONE = builder().build();

  /** How a list interprets {@link #resourceVersion}. */
  public enum ResourceVersionMatch {
    /** Exactly that version. */
    EXACT("Exact"),
    /** That version or a newer one. */
    NOT_OLDER_THAN("NotOlderThan");

    private final String value;

    ResourceVersionMatch(String value) {
      this.value = value;
    }

    /** Returns the form that is sent. */
    public String value() {
      return value;
    }
  }

  private final @Nullable String labelSelector;
  private final @Nullable String fieldSelector;
  private final @Nullable String resourceVersion;
  private final @Nullable ResourceVersionMatch resourceVersionMatch;
  private final @Nullable Duration timeout;
  private final @Nullable Long limit;
  private final @Nullable String continueToken;
  private final boolean allowWatchBookmarks;
  private final @Nullable Boolean sendInitialEvents;
  private final @Nullable String shardSelector;

  private ListOptions(Builder builder) {
    labelSelector = builder.labelSelector;
    fieldSelector = builder.fieldSelector;
    resourceVersion = builder.resourceVersion;
    resourceVersionMatch = builder.resourceVersionMatch;
    timeout = builder.timeout;
    limit = builder.limit;
    continueToken = builder.continueToken;
    allowWatchBookmarks = builder.allowWatchBookmarks;
    sendInitialEvents = builder.sendInitialEvents;
    shardSelector = builder.shardSelector;
  }

  /** Returns a builder in which nothing is set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder that starts with this value. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.labelSelector = labelSelector;
    builder.fieldSelector = fieldSelector;
    builder.resourceVersion = resourceVersion;
    builder.resourceVersionMatch = resourceVersionMatch;
    builder.timeout = timeout;
    builder.limit = limit;
    builder.continueToken = continueToken;
    builder.allowWatchBookmarks = allowWatchBookmarks;
    builder.sendInitialEvents = sendInitialEvents;
    builder.shardSelector = shardSelector;
    return builder;
  }

  /** Returns the label selector. */
  public @Nullable String labelSelector() {
    return labelSelector;
  }

  /** Returns the field selector. */
  public @Nullable String fieldSelector() {
    return fieldSelector;
  }

  /** Returns the version. */
  public @Nullable String resourceVersion() {
    return resourceVersion;
  }

  /** Returns how a list interprets the version. */
  public @Nullable ResourceVersionMatch resourceVersionMatch() {
    return resourceVersionMatch;
  }

  /** Returns the time after which the server ends the request. */
  public @Nullable Duration timeout() {
    return timeout;
  }

  /** Returns the size of a page. */
  public @Nullable Long limit() {
    return limit;
  }

  /** Returns the continue token of the previous page. */
  public @Nullable String continueToken() {
    return continueToken;
  }

  /** Returns whether the server may send bookmarks in a watch. */
  public boolean allowWatchBookmarks() {
    return allowWatchBookmarks;
  }

  /** Returns whether a watch begins with the current state, followed by a bookmark. */
  public @Nullable Boolean sendInitialEvents() {
    return sendInitialEvents;
  }

  /** Returns the shard selector, which is alpha in Kubernetes 1.36. */
  public @Nullable String shardSelector() {
    return shardSelector;
  }

  /**
   * Returns the query parameters of these options, in the order of their declaration upstream.
   *
   * @param watch whether the call is a watch
   */
  public Map<String, String> toQuery(boolean watch) {
    Map<String, String> query = new LinkedHashMap<>();
    put(query, "labelSelector", labelSelector);
    put(query, "fieldSelector", fieldSelector);
    if (watch) {
      query.put("watch", "true");
    }
    if (allowWatchBookmarks) {
      query.put("allowWatchBookmarks", "true");
    }
    put(query, "resourceVersion", resourceVersion);
    if (resourceVersionMatch != null) {
      query.put("resourceVersionMatch", resourceVersionMatch.value());
    }
    if (timeout != null) {
      query.put("timeoutSeconds", Long.toString(timeout.toSeconds()));
    }
    if (limit != null && limit != 0) {
      query.put("limit", limit.toString());
    }
    put(query, "continue", continueToken);
    if (sendInitialEvents != null) {
      query.put("sendInitialEvents", sendInitialEvents.toString());
    }
    put(query, "shardSelector", shardSelector);
    return query;
  }

  /**
   * Returns the problems for which a server would refuse these options; empty if there are none.
   * Each begins with the name of the parameter.
   *
   * @param watch whether the call is a watch
   */
  public List<String> problems(boolean watch) {
    List<String> problems = new ArrayList<>();
    boolean hasVersion = resourceVersion != null && !resourceVersion.isEmpty();
    boolean continues = continueToken != null && !continueToken.isEmpty();
    if (resourceVersionMatch != null && continues) {
      problems.add("resourceVersionMatch is forbidden when continue is provided");
    }
    if (watch) {
      watchProblems(problems);
      return problems;
    }
    if (resourceVersionMatch != null && !hasVersion) {
      problems.add("resourceVersionMatch is forbidden unless resourceVersion is provided");
    }
    if (resourceVersionMatch == ResourceVersionMatch.EXACT && "0".equals(resourceVersion)) {
      problems.add("resourceVersionMatch \"Exact\" is forbidden for resourceVersion \"0\"");
    }
    if (sendInitialEvents != null) {
      problems.add("sendInitialEvents is forbidden for list");
    }
    return problems;
  }

  private void watchProblems(List<String> problems) {
    boolean notOlderThan = resourceVersionMatch == ResourceVersionMatch.NOT_OLDER_THAN;
    if (sendInitialEvents != null && !notOlderThan) {
      problems.add("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    }
    if (resourceVersionMatch != null && sendInitialEvents == null) {
      problems.add(
          "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
    }
    if (resourceVersionMatch != null && !notOlderThan) {
      problems.add("resourceVersionMatch must be NotOlderThan for watch");
    }
  }

  private static void put(Map<String, String> query, String name, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      query.put(name, value);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ListOptions options && toQuery(false).equals(options.toQuery(false));
  }

  @Override
  public int hashCode() {
    return Objects.hash(toQuery(false));
  }

  @Override
  public String toString() {
    return toQuery(false).toString();
  }

  /** Builds {@link ListOptions}. Not safe for use by many threads. */
  public static final class Builder {
    private @Nullable String labelSelector;
    private @Nullable String fieldSelector;
    private @Nullable String resourceVersion;
    private @Nullable ResourceVersionMatch resourceVersionMatch;
    private @Nullable Duration timeout;
    private @Nullable Long limit;
    private @Nullable String continueToken;
    private boolean allowWatchBookmarks;
    private @Nullable Boolean sendInitialEvents;
    private @Nullable String shardSelector;

    private Builder() {}

    /** Sets the label selector, in its textual form. */
    public Builder labelSelector(@Nullable String labelSelector) {
      this.labelSelector = labelSelector;
      return this;
    }

    /** Sets the label selector. */
    public Builder labelSelector(Selector labelSelector) {
      return labelSelector(labelSelector.toString());
    }

    /** Sets the field selector. */
    public Builder fieldSelector(FieldSelector fieldSelector) {
      return fieldSelector(fieldSelector.toString());
    }

    /** Sets the field selector, in its textual form. */
    public Builder fieldSelector(@Nullable String fieldSelector) {
      this.fieldSelector = fieldSelector;
      return this;
    }

    /** Sets the version. */
    public Builder resourceVersion(@Nullable String resourceVersion) {
      this.resourceVersion = resourceVersion;
      return this;
    }

    /** Sets how a list interprets the version. */
    public Builder resourceVersionMatch(@Nullable ResourceVersionMatch resourceVersionMatch) {
      this.resourceVersionMatch = resourceVersionMatch;
      return this;
    }

    /** Sets the time after which the server ends the request, in whole seconds. */
    public Builder timeout(@Nullable Duration timeout) {
      this.timeout = timeout;
      return this;
    }

    /** Sets the size of a page; zero means all. */
    public Builder limit(long limit) {
      return limit(Long.valueOf(limit));
    }

    /** Sets the size of a page; zero and null mean all. */
    public Builder limit(@Nullable Long limit) {
      this.limit = limit;
      return this;
    }

    /** Sets the continue token of the previous page. */
    public Builder continueToken(@Nullable String continueToken) {
      this.continueToken = continueToken;
      return this;
    }

    /** Sets whether the server may send bookmarks in a watch. */
    public Builder allowWatchBookmarks(boolean allowWatchBookmarks) {
      this.allowWatchBookmarks = allowWatchBookmarks;
      return this;
    }

    /**
     * Sets whether a watch begins with the current state, followed by a bookmark. It needs {@link
     * ResourceVersionMatch#NOT_OLDER_THAN}.
     */
    public Builder sendInitialEvents(@Nullable Boolean sendInitialEvents) {
      this.sendInitialEvents = sendInitialEvents;
      return this;
    }

    /**
     * Sets the shard selector. A server that does not support it sends all objects, and no {@link
     * dev.clientgo.apimachinery.meta.ListMeta#shardInfo}.
     */
    public Builder shardSelector(ShardSelector shardSelector) {
      return shardSelector(shardSelector.isEverything() ? null : shardSelector.toString());
    }

    /** Sets the shard selector, in its textual form. */
    public Builder shardSelector(@Nullable String shardSelector) {
      this.shardSelector = shardSelector;
      return this;
    }

    /** Returns the options built. */
    public ListOptions build() {
      return new ListOptions(this);
    }
  }
}
