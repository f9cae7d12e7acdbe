/** The events of JDK Flight Recorder. */
package dev.clientgo.controller.internal.jfr;
