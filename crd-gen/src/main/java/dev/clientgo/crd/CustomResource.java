package dev.clientgo.crd;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A record that is one version of a kind. If the record has a constant {@code TYPE}, a {@link
 * dev.clientgo.apimachinery.serializer.ResourceType}, group, version, kind, plural and scope come
 * from there, and this annotation is needed only for the rest.
 *
 * <p>Corresponds to kubebuilder's markers {@code resource}, {@code storageversion}, {@code
 * unservedversion}, {@code deprecatedversion}, {@code subresource:status} and {@code
 * selectablefield}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface CustomResource {

  /** The scope of the objects. */
  enum Scope {
    /** The objects live in namespaces. */
    NAMESPACED("Namespaced"),
    /** The objects belong to the cluster. */
    CLUSTER("Cluster");

    private final String text;

    Scope(String text) {
      this.text = text;
    }

    /** Returns the text in a definition. */
    @Override
    public String toString() {
      return text;
    }
  }

  /** The group, such as {@code example.com}. */
  String group() default "";

  /** The version, such as {@code v1}. */
  String version() default "";

  /** The kind; the simple name of the record if empty. */
  String kind() default "";

  /** The plural in paths; a plural of the kind in lower case if empty. */
  String plural() default "";

  /** The singular; the kind in lower case if empty. */
  String singular() default "";

  /** Short names for kubectl. */
  String[] shortNames() default {};

  /** The categories, such as {@code all}. */
  String[] categories() default {};

  /** The scope of the objects. */
  Scope scope() default Scope.NAMESPACED;

  /** Whether the server serves this version. */
  boolean served() default true;

  /** Whether the server stores objects in this version. A kind of one version stores that one. */
  boolean storage() default false;

  /** Whether the server warns the users of this version. */
  boolean deprecated() default false;

  /** The text of the warning, which makes the version deprecated; the server's own if empty. */
  String deprecationWarning() default "";

  /** Whether a component {@code status} is a subresource, so that only its own path writes it. */
  boolean statusSubresource() default true;

  /** The fields that field selectors may use besides the name, such as {@code .spec.color}. */
  String[] selectableFields() default {};
}
