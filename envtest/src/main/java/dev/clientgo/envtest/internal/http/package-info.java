/** HTTP: connections, requests, responses, and the faults that tests inject into them. */
package dev.clientgo.envtest.internal.http;
