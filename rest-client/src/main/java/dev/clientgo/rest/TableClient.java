package dev.clientgo.rest;

import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.meta.table.Table;
import dev.clientgo.apimachinery.meta.table.TableOptions;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.rest.internal.http.Endpoint;

/**
 * The client of the tables that a server prints of a resource, in one namespace or in all.
 *
 * <pre>{@code
 * Table pods = client.table(new GroupVersionResource("", "v1", "pods")).list(ListOptions.NONE);
 * pods.rows().forEach(row -> System.out.println(row.cells()));
 * }</pre>
 *
 * <p>Errors are those of {@link ResourceClient}. If a server does not print tables of the resource,
 * calls throw {@link dev.clientgo.apimachinery.errors.CodecException}. Tables are JSON. Immutable,
 * safe for use by many threads.
 */
public final class TableClient {

  private static final String ACCEPT = "application/json;as=Table;v=v1;g=meta.k8s.io";

  private final Endpoint endpoint;
  private final TableOptions options;

  TableClient(Endpoint endpoint, TableOptions options) {
    this.endpoint = endpoint;
    this.options = options;
  }

  /**
   * Returns the client of one namespace.
   *
   * @throws IllegalArgumentException if the name is empty or not allowed in a path
   */
  public TableClient inNamespace(String namespace) {
    return new TableClient(endpoint.inNamespace(namespace), options);
  }

  /** Returns a client whose rows include the object, its metadata (the default) or neither. */
  public TableClient including(TableOptions.IncludeObjectPolicy policy) {
    return new TableClient(endpoint, TableOptions.including(policy));
  }

  /** Returns a table of the object of that name. */
  public Table get(String name) throws InterruptedException {
    return printed(new Request(endpoint.requireNamespace(), "GET").name(name))
        .execute()
        .into(Table.CODEC);
  }

  /** Returns a table of all objects, of the namespace or of all. */
  public Table list() throws InterruptedException {
    return list(ListOptions.NONE);
  }

  /** Returns a table of the objects that the options select, or of a page of them. */
  public Table list(ListOptions which) throws InterruptedException {
    return printed(new Request(endpoint, "GET").select(which)).execute().into(Table.CODEC);
  }

  /**
   * Watches the objects that the options select. Each event is a table of one row; only the first
   * event has the columns. The caller closes the watch.
   */
  public Watch<Table> watch(ListOptions which) throws InterruptedException {
    return printed(new Request(endpoint, "GET").selectWatch(which))
        .watch(Table.CODEC, DecodeContext.create());
  }

  private Request printed(Request request) {
    options.toQuery().forEach(request::param);
    return request.header("Accept", ACCEPT);
  }

  @Override
  public String toString() {
    return "tables of " + endpoint;
  }
}
