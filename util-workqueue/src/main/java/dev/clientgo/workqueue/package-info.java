/**
 * Work queues: what needs processing, handed out fairly, once at a time, to any number of workers.
 *
 * <p>Corresponds to client-go's {@code util/workqueue} and controller-runtime's {@code
 * priorityqueue}.
 */
package dev.clientgo.workqueue;
