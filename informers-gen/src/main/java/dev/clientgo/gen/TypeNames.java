package dev.clientgo.gen;

/** Knows the classes of all shapes within one file. */
@FunctionalInterface
interface TypeNames {

  /** Returns the class of a struct, an enumeration, a named or a known type. */
  ClassRef refOf(Shape shape);
}
