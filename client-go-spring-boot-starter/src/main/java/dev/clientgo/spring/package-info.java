/**
 * Client, informers and controllers as beans of a Spring Boot application.
 *
 * <p>The starter makes a {@link dev.clientgo.rest.RESTClient}, an {@link
 * dev.clientgo.kubernetes.InformerFactory} and a {@link dev.clientgo.controller.Manager}; each
 * steps back if the application has a bean of the type. Before the web server starts, the caches
 * are filled and the controllers run; they end after it.
 *
 * <p>{@link dev.clientgo.spring.ClientGoProperties} has the settings, {@link
 * dev.clientgo.spring.ManagerBuilderCustomizer} the rest.
 */
@org.jspecify.annotations.NullMarked
package dev.clientgo.spring;
