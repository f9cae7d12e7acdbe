package dev.clientgo.cache;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Says when a Reflector has its store resynced. */
interface ResyncPolicy {

  /**
   * Returns how often to ask {@link #shouldResync}, zero for never. Is asked itself once a watch.
   */
  Duration resyncCheckPeriod();

  /** Returns whether to resync now. */
  boolean shouldResync();

  /** One that always asks after the same time. */
  record Periodic(Duration resyncCheckPeriod, BooleanSupplier condition) implements ResyncPolicy {

    @Override
    public boolean shouldResync() {
      return condition.getAsBoolean();
    }
  }
}
