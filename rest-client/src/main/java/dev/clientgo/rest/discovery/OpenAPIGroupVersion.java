package dev.clientgo.rest.discovery;

/**
 * The OpenAPI v3 document of one version of a group.
 *
 * <p>Corresponds to client-go's {@code openapi.GroupVersion}.
 */
public interface OpenAPIGroupVersion {

  /**
   * Returns the URL of the document. It changes with the content, so any HTTP cache may keep the
   * document.
   */
  String serverRelativeURL();

  /**
   * Returns the document, or a newer one.
   *
   * @param contentType the media type, such as {@link OpenAPIClient#JSON}
   * @throws dev.clientgo.apimachinery.errors.KubernetesException if it cannot be read
   * @throws InterruptedException if the thread is interrupted
   */
  byte[] schema(String contentType) throws InterruptedException;
}
