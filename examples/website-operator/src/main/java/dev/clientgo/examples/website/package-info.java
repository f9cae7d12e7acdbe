/**
 * An operator: for each {@code Website}, it keeps a ConfigMap with the pages, a Deployment of web
 * servers that show them, and a Service in front of these, and lists the site in a registry.
 *
 * <pre>
 *   Main -> WebsiteOperator -> Manager -> WebsiteReconciler -> WebsiteChildren, SiteRegistry
 *                                                          \-> WebsiteStatus
 * </pre>
 *
 * <p>The build generates the types of Website from {@code src/main/crds/website.yaml}.
 */
@org.jspecify.annotations.NullMarked
package dev.clientgo.examples.website;
