/**
 * A field that is a number or a text: {@link dev.clientgo.apimachinery.intstr.IntOrString}.
 *
 * <p>Some fields of the API take either, such as a port by number or name, or an amount by number
 * or percentage. Corresponds to the Go package {@code k8s.io/apimachinery/pkg/util/intstr}.
 */
package dev.clientgo.apimachinery.intstr;
