package dev.clientgo.workqueue;

/**
 * A handler has thrown: what {@link Workers} tell to {@link Workers.Builder#onFailure}.
 *
 * @param item the item that was handled
 * @param error the exception or error that the handler has thrown
 * @param requeues how often in a row the item had failed and been added again before: 0 for its
 *     first failure
 * @param dropped whether the workers have given the item up; if not, they have added it again
 * @param <T> the type of items
 */
public record WorkFailure<T>(T item, Throwable error, int requeues, boolean dropped) {}
