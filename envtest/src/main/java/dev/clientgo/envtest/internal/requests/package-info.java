/** The bodies and options of requests, parsed and validated. */
package dev.clientgo.envtest.internal.requests;
