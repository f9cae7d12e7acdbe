/**
 * A web service that answers from a cache. The informer keeps the pods of the cluster in memory, so
 * a request costs the API server nothing; an index finds the pods of a node.
 */
@org.jspecify.annotations.NullMarked
package dev.clientgo.examples.webservice;
