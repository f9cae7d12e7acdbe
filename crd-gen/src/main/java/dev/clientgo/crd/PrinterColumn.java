package dev.clientgo.crd;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A column of {@code kubectl get}: at a component, which gives it name, type and path, or at the
 * kind, where it needs {@link #name} and {@link #jsonPath}. Columns of components come first. A
 * definition with columns shows no age unless a column has it.
 *
 * <p>Corresponds to kubebuilder's marker {@code printcolumn}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT})
@Repeatable(PrinterColumn.Columns.class)
public @interface PrinterColumn {

  /** The title. */
  String name() default "";

  /** The path, such as {@code .status.phase}. */
  String jsonPath() default "";

  /** {@code string}, {@code integer}, {@code number}, {@code boolean} or {@code date}. */
  String type() default "";

  /** The format, such as {@code int32}; it changes how kubectl prints the value. */
  String format() default "";

  /** The description of the column. */
  String description() default "";

  /** Above 0, only {@code kubectl get -o wide} shows the column. */
  int priority() default 0;

  /** Several columns. */
  @Documented
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.TYPE, ElementType.RECORD_COMPONENT})
  @interface Columns {
    /** The columns. */
    PrinterColumn[] value();
  }
}
