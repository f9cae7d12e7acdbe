package dev.clientgo.envtest.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a parameter of type {@link java.nio.file.Path} of an {@link ApiServerTest}: a kubeconfig
 * file of an administrator, for programs that read one. It is deleted after the test.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface TestKubeconfig {}
