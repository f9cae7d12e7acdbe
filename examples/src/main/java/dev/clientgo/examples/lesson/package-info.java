/** The parts that all lessons share: options, the API server, and the thread of the workload. */
@org.jspecify.annotations.NullMarked
package dev.clientgo.examples.lesson;
