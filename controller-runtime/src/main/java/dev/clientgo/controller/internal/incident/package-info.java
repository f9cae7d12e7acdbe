/** The recording of reconciles, its file, and its replay. */
package dev.clientgo.controller.internal.incident;
