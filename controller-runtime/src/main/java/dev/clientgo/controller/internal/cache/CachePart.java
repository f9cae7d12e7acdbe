package dev.clientgo.controller.internal.cache;

/**
 * The objects of a kind that one informer follows.
 *
 * @param namespace empty for that of the factory, by default all
 * @param labels a label selector, empty for all
 * @param fields a field selector, empty for all
 */
record CachePart(String namespace, String labels, String fields) {

  static final CachePart WHOLE = new CachePart("", "", "");
}
