/**
 * Amounts of resources.
 *
 * <p>A container requests {@code 250m} of a CPU and {@code 1.5Gi} of memory, a volume has {@code
 * 100Gi}, a namespace may have {@code 2k} pods. Each of these is a {@link
 * dev.clientgo.apimachinery.resource.Quantity}: a decimal number that can be written with a suffix.
 * There are suffixes for powers of ten ({@code m}, {@code k}, {@code M}, {@code G}, …) and for
 * powers of two ({@code Ki}, {@code Mi}, {@code Gi}, …); {@code 1M} is a million, {@code 1Mi} is
 * 1048576.
 *
 * <p>Quantities are exact, so a program can add them up over a cluster and compare the sum:
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
