/** The way into the queue: from an event of an informer to the requests of a controller. */
package dev.clientgo.controller.internal.source;
