/** The informers that the controllers of a manager share. */
package dev.clientgo.controller.internal.cache;
