package dev.clientgo.envtest;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A test that waits for the server most of its time: the real one waits two seconds before it takes
 * the first object of a new kind. It runs beside the others of its class that do.
 */
@Test
@Execution(ExecutionMode.CONCURRENT)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface WaitingTest {}
