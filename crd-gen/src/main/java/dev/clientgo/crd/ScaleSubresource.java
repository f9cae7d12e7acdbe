package dev.clientgo.crd;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The subresource {@code scale} of a kind, which {@code kubectl scale} and autoscalers use.
 *
 * <p>Corresponds to kubebuilder's marker {@code subresource:scale}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ScaleSubresource {

  /** The path of the wanted number of replicas, an integer below {@code .spec}. */
  String specReplicasPath() default ".spec.replicas";

  /** The path of the number that there are, an integer below {@code .status}. */
  String statusReplicasPath() default ".status.replicas";

  /** The path of a label selector, a string that autoscalers need; none if empty. */
  String labelSelectorPath() default "";
}
