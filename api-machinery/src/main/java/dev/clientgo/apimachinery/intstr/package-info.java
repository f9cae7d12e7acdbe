/**
 * A field that is a number or a text: {@link dev.clientgo.apimachinery.intstr.IntOrString}.
 *
 * <p>Some fields of the API accept both, such as a port by number or name, or an amount by number
 * or percentage:
 *
 * <pre>{@code
 * IntOrString port = IntOrString.of(8080);
 * IntOrString named = IntOrString.of("http");
 * int surge = IntOrString.parse("25%").scaled(10, true); // 3 of 10, rounded up
 * }</pre>
 *
 * <p>The type keeps the difference, so the number 1 is never written as a text. Corresponds to the
 * Go package {@code k8s.io/apimachinery/pkg/util/intstr}.
 */
package dev.clientgo.apimachinery.intstr;
