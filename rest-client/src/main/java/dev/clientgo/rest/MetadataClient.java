package dev.clientgo.rest;

import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.GetOptions;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.meta.options.PatchOptions;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.serializer.ResourceList;
import dev.clientgo.apimachinery.watch.Watch;

/**
 * The client of the metadata of a resource's objects, in one namespace or in all. The server sends
 * only the metadata. The client cannot create or replace objects, because it does not have them
 * whole.
 *
 * <p>Calls behave like those of {@link ResourceClient}. Immutable, safe for use by many threads.
 * Corresponds to client-go's {@code metadata.Client}.
 */
public final class MetadataClient {

  private final ResourceClient<PartialObjectMetadata> client;

  MetadataClient(ResourceClient<PartialObjectMetadata> client) {
    this.client = client;
  }

  /**
   * Returns the client of one namespace.
   *
   * @throws IllegalArgumentException if objects of this type do not live in namespaces, or the name
   *     is empty or not allowed in a path
   */
  public MetadataClient inNamespace(String namespace) {
    return new MetadataClient(client.inNamespace(namespace));
  }

  /** Returns the metadata of the named object. */
  public PartialObjectMetadata get(String name) throws InterruptedException {
    return get(name, GetOptions.NONE);
  }

  /**
   * Returns the metadata of the named object.
   *
   * @throws dev.clientgo.apimachinery.errors.CodecException if the response has no metadata
   */
  public PartialObjectMetadata get(String name, GetOptions options) throws InterruptedException {
    return client.get(name, options);
  }

  /**
   * Returns the metadata of the objects that the options select; see {@link ResourceClient#list}.
   */
  public ResourceList<PartialObjectMetadata> list(ListOptions options) throws InterruptedException {
    return client.list(options);
  }

  /** Lists in one request, and passes the metadata of each object to the sink as it arrives. */
  public ListMeta list(ListOptions options, ListSink<? super PartialObjectMetadata> sink)
      throws InterruptedException {
    return client.list(options, sink);
  }

  /** Watches the metadata of the objects that the options select. The caller closes the watch. */
  public Watch<PartialObjectMetadata> watch(ListOptions options) throws InterruptedException {
    return client.watch(options);
  }

  /** Patches the object of that name and returns its metadata as the server stored it. */
  public PartialObjectMetadata patch(String name, Patch patch, PatchOptions options)
      throws InterruptedException {
    return client.patch(name, patch, options);
  }

  /** Deletes the object of that name. Finalizers may delay the deletion. */
  public void delete(String name, DeleteOptions options) throws InterruptedException {
    client.delete(name, options);
  }

  /** Deletes the objects that the options select. */
  public void deleteCollection(ListOptions which, DeleteOptions options)
      throws InterruptedException {
    client.deleteCollection(which, options);
  }

  @Override
  public String toString() {
    return "metadata of " + client;
  }
}
