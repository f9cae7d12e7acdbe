package dev.clientgo.rest.discovery;

import dev.clientgo.rest.RESTClient;

/**
 * The OpenAPI v3 document of one version of a group.
 *
 * <p>Corresponds to client-go's {@code openapi.GroupVersion}.
 */
public interface OpenAPIGroupVersion {

  /**
   * Returns where the document is. The address changes with its content, so that any HTTP cache may
   * keep it.
   */
  String serverRelativeURL();

  /**
   * Returns the document, or the one that has taken its place since.
   *
   * @param contentType in which form, such as {@link OpenAPIClient#JSON}
   * @throws dev.clientgo.apimachinery.errors.KubernetesException if it cannot be had
   * @throws InterruptedException if the thread is interrupted
   */
  byte[] schema(String contentType) throws InterruptedException;

  /** Returns a document that is read from a server. */
  static OpenAPIGroupVersion of(RESTClient client, String serverRelativeURL) {
    return new ServerDocument(client, serverRelativeURL);
  }
}
