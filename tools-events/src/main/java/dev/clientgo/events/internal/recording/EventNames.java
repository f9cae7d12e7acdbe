package dev.clientgo.events.internal.recording;

import dev.clientgo.apimachinery.validation.NameRule;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Names events {@code <object>.<nanoseconds in hexadecimal>}, as client-go does. Unlike there, no
 * two events get the same nanosecond, so they cannot have the same name. Safe for use by many
 * threads.
 */
public final class EventNames {

  private final AtomicLong last = new AtomicLong();

  /** The last object whose name may begin that of an event: many events are about one object. */
  private volatile String valid = "";

  /** Returns the name of an event about an object; a UUID if that were not a valid name. */
  public String next(String object, Instant now) {
    long nanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    long unique = last.updateAndGet(before -> Math.max(before + 1, nanos));
    if (!object.isEmpty() && object.equals(valid)) {
      return plain(object, unique);
    }
    String name = name(object, unique);
    if (name.startsWith(object + ".")) {
      valid = object;
    }
    return name;
  }

  static String name(String object, long nanos) {
    String name = plain(object, nanos);
    return NameRule.DNS1123_SUBDOMAIN.accepts(name) ? name : UUID.randomUUID().toString();
  }

  private static String plain(String object, long nanos) {
    return object + "." + Long.toHexString(nanos);
  }
}
