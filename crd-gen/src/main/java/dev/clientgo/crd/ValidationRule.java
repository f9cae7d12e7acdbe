package dev.clientgo.crd;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A rule in CEL, whose {@code self} is the annotated component or type.
 *
 * <p>Corresponds to {@code x-kubernetes-validations}, and kubebuilder's marker {@code XValidation}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT, ElementType.TYPE_USE})
@Repeatable(ValidationRule.Rules.class)
public @interface ValidationRule {

  /** The rule, such as {@code self.min <= self.max}. */
  String rule();

  /** The error if the rule is false. */
  String message() default "";

  /** An expression in CEL that makes the error. */
  String messageExpression() default "";

  /** {@code FieldValueInvalid} and its like; the server takes that one if empty. */
  String reason() default "";

  /** The path below this value that the error names, such as {@code .min}. */
  String fieldPath() default "";

  /** Whether a rule with {@code oldSelf} is also evaluated for a new value. */
  boolean optionalOldSelf() default false;

  /** Several rules. */
  @Documented
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.TYPE, ElementType.RECORD_COMPONENT, ElementType.TYPE_USE})
  @interface Rules {
    /** The rules. */
    ValidationRule[] value();
  }
}
