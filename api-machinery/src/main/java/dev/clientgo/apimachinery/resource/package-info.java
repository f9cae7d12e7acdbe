/**
 * Amounts of resources.
 *
 * <p>A container asks for {@code 250m} of a CPU and {@code 1.5Gi} of memory, a volume has {@code
 * 100Gi}, a namespace may use {@code 2k} pods. All of these are a {@link
 * dev.clientgo.apimachinery.resource.Quantity}: a decimal number that can be written with a suffix.
 * The suffixes come in two families, for powers of ten ({@code m}, {@code k}, {@code M}, {@code G},
 * …) and for powers of two ({@code Ki}, {@code Mi}, {@code Gi}, …); {@code 1M} is a million, {@code
 * 1Mi} is 1048576.
 *
 * <p>Quantities are exact, so they can be added up over a cluster, and compared:
 *
 * <pre>{@code
 * Quantity used = Quantity.ZERO;
 * for (Quantity request : requests) {
 *   used = used.plus(request);
 * }
 * if (used.compareTo(limit) > 0) {
 *   report = "over the limit: " + used + " of " + limit;
 * }
 * }</pre>
 */
package dev.clientgo.apimachinery.resource;
