/**
 * The live view of an informer on an embedded server. {@link
 * dev.clientgo.examples.liveview.PodPipeline} is the program that it shows: an informer, two
 * handlers, a work queue and two workers. {@code Scenes} play by themselves on the page and explain
 * what there is to see.
 */
@org.jspecify.annotations.NullMarked
package dev.clientgo.examples.liveview;
