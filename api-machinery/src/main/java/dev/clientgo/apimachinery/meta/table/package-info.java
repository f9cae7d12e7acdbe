/**
 * Tables: objects as the server prints them for people, in rows and columns.
 *
 * <p>A {@link dev.clientgo.apimachinery.meta.table.Table} has the columns that {@code kubectl get}
 * shows. Each row can also carry its object, or only the metadata: see {@link
 * dev.clientgo.apimachinery.meta.table.TableOptions}. A {@link
 * dev.clientgo.apimachinery.meta.table.TablePrinter} prints it as kubectl does.
 *
 * <p>Corresponds to {@code Table} and its parts in Go's {@code
 * k8s.io/apimachinery/pkg/apis/meta/v1}.
 */
package dev.clientgo.apimachinery.meta.table;
