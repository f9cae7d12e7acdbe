/** Leases, whatever they guard: timings, observations, fences and threads. */
package dev.clientgo.leaderelection.internal;
