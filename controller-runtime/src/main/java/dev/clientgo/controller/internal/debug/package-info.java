/** The store behind a debug recorder, and the page that shows it. */
package dev.clientgo.controller.internal.debug;
