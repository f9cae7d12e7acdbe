/**
 * Work queues: what needs processing, handed out fairly, once at a time, to any number of workers.
 *
 * <p>A controller does not process events, it brings things to where they should be. An event only
 * says which thing to look at, so what is queued is its key, and a thing that changes ten times
 * before a worker comes to it is looked at once. A {@link dev.clientgo.workqueue.WorkQueue} is
 *
 * <ul>
 *   <li><b>fair</b>: items come in the order in which they were first added ({@code
 *       WorkQueueTest.get_severalItems_comeInTheOrderOfTheirFirstAdd});
 *   <li><b>stingy</b>: an item is never with two workers at once, and many adds before it is
 *       processed are one ({@code
 *       WorkQueueTest.add_twiceBeforeProcessing_isProcessedOnceAndTouched}, {@code
 *       QueueLincheckTest.workQueue_anyInterleaving_isLinearizable});
 *   <li>for <b>many producers and many workers</b>: an item may be added while it is processed, and
 *       is processed once more then ({@code WorkQueueTest.add_whileProcessing_requeuesOnDone},
 *       {@code QueueStressTest.queue_underLoad_losesNothingAndDoublesNothing});
 *   <li>able to say that it is <b>over</b>: workers get what is left, then are told to end ({@code
 *       ShutDownTest.get_afterShutDown_handsOutWhatIsLeftThenNothing}).
 * </ul>
 *
 * <p>{@link dev.clientgo.workqueue.DelayingQueue} adds items at a later time, {@link
 * dev.clientgo.workqueue.RateLimitingQueue} asks a {@link dev.clientgo.workqueue.RateLimiter} how
 * late, {@link dev.clientgo.workqueue.PriorityQueue} knows what is urgent, and {@link
 * dev.clientgo.workqueue.Workers} are the threads that process:
 *
 * <pre>{@code
 * try (RateLimitingQueue<String> queue = RateLimitingQueue.create(RateLimiter.defaultController());
 *     Workers workers = Workers.start(queue, 4, key -> reconcile(key))) {
 *   queue.add("default/web");
 *   queue.shutDownWithDrain();
 * }
 * }</pre>
 *
 * <p>Corresponds to client-go's {@code util/workqueue} and controller-runtime's {@code
 * priorityqueue}.
 */
package dev.clientgo.workqueue;
