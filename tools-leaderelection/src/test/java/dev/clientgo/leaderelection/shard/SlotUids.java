package dev.clientgo.leaderelection.shard;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** Makes uids of objects in chosen slots. */
final class SlotUids {

  private SlotUids() {}

  /** Returns a uid in each slot, in the order of the slots. */
  static List<String> oneOfEach(Slots slots, Random random) {
    List<String> uids = new ArrayList<>();
    for (int slot = 0; slot < slots.count(); slot++) {
      String uid = next(random);
      while (slots.of(uid) != slot) {
        uid = next(random);
      }
      uids.add(uid);
    }
    return uids;
  }

  static String next(Random random) {
    return new UUID(random.nextLong(), random.nextLong()).toString();
  }
}
