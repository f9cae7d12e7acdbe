/**
 * The records of a {@code DebugRecorder}: which reconciles a controller has made for an object, and
 * what has caused each of them. All types are immutable.
 */
package dev.clientgo.controller.debug;
