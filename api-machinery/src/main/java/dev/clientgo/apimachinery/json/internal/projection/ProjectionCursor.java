package dev.clientgo.apimachinery.json.internal.projection;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The position of a reader in a {@link FieldTree}.
 *
 * <p>A reader asks {@link #isAt} before each field, with one comparison of numbers. Only within
 * objects of which something is left out, it then asks {@link #keeps}. The reader does not notify
 * the cursor when it leaves an object or array: the tree of a depth is overwritten before it is
 * read.
 */
public final class ProjectionCursor {

  private static final int NOWHERE = -1;

  /** By depth: the tree of the object or array there. */
  private FieldTree[] trees = {};

  /** The depth of the innermost object or array of which something is left out. */
  private int deepest = NOWHERE;

  /**
   * Begins an object.
   *
   * @param depth the depth of its fields
   */
  public void begin(int depth, FieldTree tree) {
    put(depth, tree);
    deepest = tree.keepsAll() ? NOWHERE : depth;
  }

  /** Ends the object; from now on all fields are kept. */
  public void end() {
    deepest = NOWHERE;
  }

  /** Returns whether some of the fields at this depth may be left out. */
  public boolean isAt(int depth) {
    return depth <= deepest;
  }

  /**
   * Moves to the next field at a depth, of which {@link #isAt} is true.
   *
   * @return whether the field is kept, at least in part
   */
  public boolean keeps(int depth, String name) {
    FieldTree field = trees[depth].field(name);
    if (field.keepsAll()) {
      deepest = depth;
    } else {
      put(depth + 1, field);
      deepest = depth + 1;
    }
    return !field.keepsNothing();
  }

  /** Moves to the next element of an array at a depth, of which {@link #isAt} is true. */
  public void element(int depth) {
    put(depth + 1, trees[depth]);
    deepest = depth + 1;
  }

  /** Returns the tree of the object or array at a depth; null if nothing of it is left out. */
  public @Nullable FieldTree tree(int depth) {
    return depth <= deepest ? trees[depth] : null;
  }

  private void put(int depth, FieldTree tree) {
    if (depth >= trees.length) {
      trees = Arrays.copyOf(trees, Math.max(8, 2 * depth));
    }
    trees[depth] = tree;
  }
}
