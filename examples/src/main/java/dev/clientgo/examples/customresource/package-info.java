/**
 * The life of one object of a kind of our own. The build generates the type from the definition;
 * the program creates an object, edits it, sets its status, and holds its deletion up by a
 * finalizer until it has tidied up.
 */
@org.jspecify.annotations.NullMarked
package dev.clientgo.examples.customresource;
