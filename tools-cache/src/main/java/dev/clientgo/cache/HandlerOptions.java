package dev.clientgo.cache;

import java.time.Duration;
import java.util.Optional;

/**
 * The options of one handler of an informer.
 *
 * <p>Immutable. Corresponds to client-go's {@code tools/cache.HandlerOptions}.
 */
public final class HandlerOptions {

  private final Optional<String> name;
  private final Optional<Duration> resyncPeriod;

  private HandlerOptions(Builder builder) {
    this.name = builder.name;
    this.resyncPeriod = builder.resyncPeriod;
  }

  /** Returns a builder with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  Optional<String> name() {
    return name;
  }

  Optional<Duration> resyncPeriod() {
    return resyncPeriod;
  }

  /** Builds {@link HandlerOptions}. Not safe for use by many threads. */
  public static final class Builder {

    private Optional<String> name = Optional.empty();
    private Optional<Duration> resyncPeriod = Optional.empty();

    private Builder() {}

    /**
     * Sets the name of the handler in logs and metrics. Default: the name of its class. A number
     * follows if another handler of the informer has the name.
     */
    public Builder name(String name) {
      this.name = Optional.of(name);
      return this;
    }

    /**
     * Sets how often the handler receives all objects again, changed or not, as updates from each
     * object to itself. Zero means never. Default: the informer's resync period.
     *
     * <p>A period below a second becomes a second. Before the start, a period below the informer's
     * lowers the informer's; after the start, it is raised to the informer's. If the informer's
     * resync period is zero, there is no resync at all.
     */
    public Builder resyncPeriod(Duration resyncPeriod) {
      if (resyncPeriod.isNegative()) {
        throw new IllegalArgumentException(
            "the resync period must not be negative: " + resyncPeriod);
      }
      this.resyncPeriod = Optional.of(resyncPeriod);
      return this;
    }

    /** Returns the options built. */
    public HandlerOptions build() {
      return new HandlerOptions(this);
    }
  }
}
