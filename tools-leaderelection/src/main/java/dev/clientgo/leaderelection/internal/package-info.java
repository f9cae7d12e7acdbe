/** Leases, whatever they guard: requests, timings, observations, fences, threads. */
package dev.clientgo.leaderelection.internal;
