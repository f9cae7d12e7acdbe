package dev.clientgo.apimachinery.unstructured;

/** SKELETON. */
public final class Unstructured {
  private Unstructured() {}
}
