/** HTTP: connections, requests, responses, and the faults that a test injects into them. */
package dev.clientgo.envtest.internal.http;
