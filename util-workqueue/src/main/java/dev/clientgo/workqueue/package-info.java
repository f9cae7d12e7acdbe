/**
 * Work queues, which hand out keys that need processing to any number of workers.
 *
 * <p>A controller does not process events. It compares an object with its desired state and removes
 * the difference. An event only names the object, so a controller queues the object's key. An
 * object that changes ten times before a worker takes its key is processed once. A {@link
 * dev.clientgo.workqueue.WorkQueue} is
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
 *   <li>able to <b>shut down</b>: workers get the items that are left and then end ({@code
 *       ShutDownTest.get_afterShutDown_handsOutWhatIsLeftThenNothing}).
 * </ul>
 *
 * <p>A {@link dev.clientgo.workqueue.DelayingQueue} adds items after a delay. A {@link
 * dev.clientgo.workqueue.RateLimitingQueue} asks a {@link dev.clientgo.workqueue.RateLimiter} for
 * the delay. A {@link dev.clientgo.workqueue.PriorityQueue} hands out urgent items first. {@link
 * dev.clientgo.workqueue.Workers} are the threads that process the items:
 *
 * <pre>{@code
 * try (RateLimitingQueue<String> queue = RateLimitingQueue.create(RateLimiter.defaultController());
 *     Workers workers = Workers.start(queue, 4, key -> reconcile(key))) {
 *   queue.add("default/web");
 *   queue.shutDownWithDrain(Duration.ofSeconds(15));
 * }
 * }</pre>
 *
 * <p>Corresponds to client-go's {@code util/workqueue} and controller-runtime's {@code
 * priorityqueue}.
 */
package dev.clientgo.workqueue;
