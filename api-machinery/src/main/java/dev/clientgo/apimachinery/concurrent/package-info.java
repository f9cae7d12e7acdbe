/**
 * Threads.
 *
 * <p>Whatever in this library needs a thread takes a {@link java.util.concurrent.ThreadFactory}, so
 * that a program can say what its threads are, and a test can hold them. Where none is given, it is
 * {@link dev.clientgo.apimachinery.concurrent.Daemons#named}:
 *
 * <pre>{@code
 * ThreadFactory threads = Daemons.named("reflector-pods-");
 * threads.newThread(this::listAndWatch).start(); // reflector-pods-0, virtual on Java 21
 * }</pre>
 *
 * <p>Such a thread does not keep the program running. Whoever starts one ends it: by interrupting
 * it, and waiting for it to end.
 */
package dev.clientgo.apimachinery.concurrent;
