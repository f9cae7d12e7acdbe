package dev.clientgo.envtest.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs the tests of a class against an API server, which all classes of the test run share. A test
 * takes what it needs as parameters:
 *
 * <ul>
 *   <li>{@link dev.clientgo.rest.RESTClient}: a client of an administrator, closed after the test
 *   <li>{@link TestRole} {@link dev.clientgo.rest.RESTClient}: a client with the permissions of a
 *       role alone; the test fails if it needs more
 *   <li>{@link TestNamespace} {@code String}: the name of a namespace of the test's own, deleted
 *       after the test with all that is in it
 *   <li>{@link dev.clientgo.cache.SharedInformerFactory}: informers of that client, not started;
 *       closed after the test. {@code InformerFactory.of(factory)} adds the built-in kinds
 *   <li>{@link dev.clientgo.rest.config.RestConfig}: how an administrator connects
 *   <li>{@link TestKubeconfig} {@link java.nio.file.Path}: the same as a file, deleted after the
 *       test
 *   <li>{@link dev.clientgo.envtest.ApiServer}: the server; {@link
 *       dev.clientgo.envtest.EmbeddedApiServer} for tests that need its faults and its record of
 *       requests, and do not run against the real one
 * </ul>
 *
 * <p>The system property {@value ApiServerExtension#PROPERTY} chooses the server: {@code embedded},
 * the default, or {@code real}. If the real one is not installed, the tests fail and say what to
 * do.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@ExtendWith(ApiServerExtension.class)
public @interface ApiServerTest {

  /**
   * Which server the tests of a class run against. One suite of tests runs against both servers if
   * two classes extend it, one for each; tests of all classes share one server of each kind.
   */
  enum Server {
    /** The server that the system property chooses. */
    CHOSEN,
    /** The embedded server, whatever the system property is. */
    EMBEDDED,
    /** The real server. The tests are skipped if it is not installed. */
    REAL
  }

  /** Which server the tests run against. */
  Server server() default Server.CHOSEN;

  /** Files, or folders of files, with definitions of custom resources to install. */
  String[] crds() default {};

  /**
   * Whether to {@linkplain dev.clientgo.envtest.ApiServer#reset reset} the server before each test,
   * and to install the definitions again. A test that uses its own namespace does not need it.
   * Tests that run in parallel must not use it, because they share the server.
   */
  boolean reset() default false;
}
