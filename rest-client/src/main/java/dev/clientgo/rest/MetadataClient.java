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
 * The metadata of the objects of a resource, in one namespace or in all: the server sends no more
 * than that. There is nothing to create or replace, since what is not read cannot be written back.
 *
 * <p>Calls behave as those of {@link ResourceClient}. Immutable, safe for use by many threads.
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
   *     is empty or may not stand in a path
   */
  public MetadataClient inNamespace(String namespace) {
    return new MetadataClient(client.inNamespace(namespace));
  }

  /** Returns the metadata of the object of that name. */
  public PartialObjectMetadata get(String name) throws InterruptedException {
    return get(name, GetOptions.NONE);
  }

  /**
   * Returns the metadata of the object of that name.
   *
   * @throws dev.clientgo.apimachinery.errors.CodecException if the server sends something that has
   *     none
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

  /** Lists by one request, and hands over the metadata of each object as it arrives. */
  public ListMeta list(ListOptions options, ListSink<? super PartialObjectMetadata> sink)
      throws InterruptedException {
    return client.list(options, sink);
  }

  /** Watches the metadata of the objects that the options select. The caller closes the watch. */
  public Watch<PartialObjectMetadata> watch(ListOptions options) throws InterruptedException {
    return client.watch(options);
  }

  /** Changes the object of that name and returns its metadata as the server stored it. */
  public PartialObjectMetadata patch(String name, Patch patch, PatchOptions options)
      throws InterruptedException {
    return client.patch(name, patch, options);
  }

  /** Deletes the object of that name. Finalizers may keep it for a while. */
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
