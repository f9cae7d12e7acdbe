/**
 * A web service that answers from a cache. The informer keeps the pods of the cluster in memory, so
 * a query costs the API server nothing.
 *
 * <pre>
 *   GET /pods                    a page of pods, as the API server's list of them
 *       ?namespace= &amp;label= &amp;node= &amp;phase= &amp;owner=KIND/NAME
 *       &amp;limit= &amp;continue=
 *       &amp;resourceVersion=        from a cache that has reached that version, as that of a write
 *   GET /pods/NAMESPACE/NAME     one pod
 *   GET /watch                   the changes, as server-sent events; the same filters
 *       &amp;resourceVersion=        only those after that version, as after a list
 *   GET /healthz                 200, or 503 and why the cache is not to be trusted
 * </pre>
 *
 * <ul>
 *   <li>{@code PodQuery} finds pods through an index and filters the rest. It reads one snapshot of
 *       the cache, so a page and its version agree.
 *   <li>The version is the ETag of a page: while nothing changes, {@code If-None-Match} gets 304.
 *   <li>The header {@code Age} says how many seconds ago the API server last sent anything, at
 *       least a bookmark, so a client knows how old an answer may be.
 *   <li>{@code PodHistory} keeps the last changes, and {@code PodStreams} sends them to any number
 *       of clients. A client that reconnects names the last event that it has seen. One that is too
 *       far behind gets 410 and lists again, as at the API server.
 * </ul>
 *
 * <p>Each replica of this service answers for itself and asks the API server for the pods once. It
 * neither authenticates users nor checks permissions: anyone who reaches it sees all pods, so it
 * listens on the loopback address.
 */
@org.jspecify.annotations.NullMarked
package dev.clientgo.examples.podservice;
