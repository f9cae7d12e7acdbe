package dev.clientgo.envtest.controllers.internal.batch;

import dev.clientgo.kubernetes.core.v1.Pod;
import java.util.BitSet;
import java.util.StringJoiner;

/** The indexes of an Indexed Job, as the text of its status: {@code 0,2-4}. */
final class CompletionIndexes {

  /** The annotation and label of the pods. */
  static final String KEY = "batch.kubernetes.io/job-completion-index";

  private CompletionIndexes() {}

  /** Returns the index of a pod, -1 if it has none. */
  static int of(Pod pod) {
    String text = pod.metadata().annotation(KEY).orElse("");
    return text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : -1;
  }

  /** Returns the indexes of a text; an absent text has none. */
  static BitSet parse(String text) {
    BitSet indexes = new BitSet();
    for (String range : text.split(",", -1)) {
      if (range.matches("[0-9]{1,9}(-[0-9]{1,9})?")) {
        String[] ends = range.split("-", -1);
        indexes.set(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]) + 1);
      }
    }
    return indexes;
  }

  /** Returns the text of indexes; three and more in a row are a range. */
  static String format(BitSet indexes) {
    StringJoiner text = new StringJoiner(",");
    for (int first = indexes.nextSetBit(0); first >= 0; ) {
      int end = indexes.nextClearBit(first);
      if (end - first >= 3) {
        text.add(first + "-" + (end - 1));
      } else {
        for (int index = first; index < end; index++) {
          text.add(Integer.toString(index));
        }
      }
      first = indexes.nextSetBit(end);
    }
    return text.toString();
  }
}
