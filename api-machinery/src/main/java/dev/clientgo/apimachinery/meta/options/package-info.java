/**
 * Options of requests: how the server reads, lists, writes, patches or deletes.
 *
 * <p>Options are immutable and can be shared between threads. {@code NONE} leaves everything to the
 * server; a builder sets more. {@code toQuery()} returns the query parameters that the client
 * sends.
 *
 * <pre>{@code
 * ListOptions firstPage = ListOptions.builder().labelSelector("app=shop").limit(500L).build();
 * PatchOptions asScaler = PatchOptions.builder().fieldManager("scaler").build();
 * }</pre>
 *
 * <p>Corresponds to the {@code …Options} of Go's {@code k8s.io/apimachinery/pkg/apis/meta/v1}.
 */
package dev.clientgo.apimachinery.meta.options;
