package dev.clientgo.envtest.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the {@link dev.clientgo.rest.RESTClient} parameter of a test that may do only what the
 * roles in manifests permit, as {@link dev.clientgo.envtest.EmbeddedApiServer#enforce} does. If a
 * request is refused for lack of a permission, the test fails after its end, and the error has the
 * rules to add. The namespace of the test stands for any. Needs the embedded server.
 *
 * <pre>{@code
 * @Test
 * void controller_hasTheRoleItNeeds(@TestRole("config/rbac.yaml") RESTClient client) { ... }
 * }</pre>
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface TestRole {

  /** The files of YAML or JSON with the roles, and with their bindings if there are any. */
  String[] value();
}
