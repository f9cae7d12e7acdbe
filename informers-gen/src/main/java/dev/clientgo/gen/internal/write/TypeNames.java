package dev.clientgo.gen.internal.write;

import dev.clientgo.gen.internal.model.ClassRef;
import dev.clientgo.gen.internal.shape.Shape;

/** Knows the classes of all shapes within one file. */
interface TypeNames {

  /** Returns the class of a struct, an enumeration, a named or a known type. */
  ClassRef refOf(Shape shape);

  /** Returns whether a shape is a condition: it has a type, a status and the time of its change. */
  boolean isCondition(Shape shape);
}
