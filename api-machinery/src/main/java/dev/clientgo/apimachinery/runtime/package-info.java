/**
 * A registry of types by their kinds, for programs that read objects of many types.
 *
 * <p>A {@link dev.clientgo.apimachinery.runtime.Scheme} finds the type of a kind and the kinds of a
 * type. Types need not be generated: databind can read and write a program's own records:
 *
 * <pre>{@code
 * Scheme scheme =
 *     Scheme.builder().add(new GroupVersion("example.com", "v1"), Widget.class).build();
 * Widget widget = (Widget) scheme.decode(json);
 * }</pre>
 */
package dev.clientgo.apimachinery.runtime;
