package dev.clientgo.examples.website;

import dev.clientgo.apimachinery.meta.Condition;
import dev.clientgo.apimachinery.meta.Conditions;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.controller.Children;
import dev.clientgo.controller.Manager;
import dev.clientgo.examples.website.api.web.v1.Website;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.kubernetes.core.v1.Service;
import dev.clientgo.kubernetes.events.v1.Event;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/** The sites of one test, with what a person and the controllers of a cluster do to them. */
record TestSites(RESTClient client, String namespace) {

  static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** The operator's own namespace. */
  String system() {
    return namespace + "-system";
  }

  Settings settings() {
    return new Settings(system(), 0, 0, TIMEOUT, Duration.ofSeconds(4));
  }

  void createSystem() throws InterruptedException {
    client
        .resource(Namespace.TYPE)
        .create(Namespace.of(n -> n.editMetadata(m -> m.name(system()))));
  }

  /** Starts an operator with a client. */
  Manager start(RESTClient operator) {
    Manager manager = WebsiteOperator.manager(operator, settings());
    manager.start();
    return manager;
  }

  // ---- what is there

  ResourceClient<Website> sites() {
    return client.resource(Website.TYPE).inNamespace(namespace);
  }

  ResourceClient<ConfigMap> maps() {
    return client.resource(ConfigMap.TYPE).inNamespace(namespace);
  }

  ResourceClient<Deployment> deployments() {
    return client.resource(Deployment.TYPE).inNamespace(namespace);
  }

  ResourceClient<Service> services() {
    return client.resource(Service.TYPE).inNamespace(namespace);
  }

  Map<String, String> registry() throws InterruptedException {
    return client
        .resource(ConfigMap.TYPE)
        .inNamespace(system())
        .find(SiteRegistry.NAME)
        .map(ConfigMap::data)
        .orElse(Map.of());
  }

  /** Returns the events of the operator; kube-apiserver warns of addresses of new services, too. */
  List<String> reasons() throws InterruptedException {
    return client.resource(Event.TYPE).inNamespace(namespace).list().items().stream()
        .filter(event -> WebsiteOperator.NAME.equals(event.reportingController()))
        .map(event -> event.type() + " " + event.reason() + " " + event.action())
        .toList();
  }

  static Condition condition(Website site, String type) {
    return Conditions.find(site.status().conditions(), type).orElseThrow();
  }

  // ---- what a person does

  static Website site(String name, int replicas, String page) {
    return Website.of(
        site ->
            site.editMetadata(m -> m.name(name))
                .editSpec(
                    s ->
                        s.pages(Map.of("index.html", page))
                            .replicas(replicas)
                            .image("nginxinc/nginx-unprivileged:1.29")));
  }

  Website create(String name, int replicas, String page) throws InterruptedException {
    return sites().create(site(name, replicas, page));
  }

  void write(String name, String page) throws InterruptedException {
    sites()
        .edit(name, s -> s.with(w -> w.editSpec(spec -> spec.pages(Map.of("index.html", page)))));
  }

  Website awaitSite(String name, Predicate<Website> condition) throws Exception {
    return sites().await(name, site -> site.filter(condition).isPresent(), TIMEOUT).orElseThrow();
  }

  /** Waits until a condition has a status, for the newest generation. */
  Website awaitCondition(String name, String type, String status) throws Exception {
    return awaitSite(
        name,
        site ->
            Objects.equals(site.status().observedGeneration(), site.metadata().generation())
                && Conditions.isPresentAndEqual(site.status().conditions(), type, status));
  }

  Deployment awaitDeployment(String name, Predicate<Deployment> condition) throws Exception {
    return deployments()
        .await(name, found -> found.filter(condition).isPresent(), TIMEOUT)
        .orElseThrow();
  }

  // ---- what the controllers of a cluster do

  /** Reports all replicas of a Deployment as available, as soon as it has that many. */
  void rollOut(String name, int replicas) throws Exception {
    awaitDeployment(name, d -> Objects.equals(d.spec().replicas(), replicas));
    deployments().editStatus(name, deployment -> withAvailable(deployment, replicas));
  }

  /** Returns a Deployment whose status says that so many replicas are available. */
  static Deployment withAvailable(Deployment deployment, int replicas) {
    return deployment.with(
        d ->
            d.editStatus(
                s ->
                    s.observedGeneration(deployment.metadata().generation())
                        .replicas(replicas)
                        .updatedReplicas(replicas)
                        .readyReplicas(replicas)
                        .availableReplicas(replicas)));
  }

  Website createReady(String name, int replicas, String page) throws Exception {
    create(name, replicas, page);
    rollOut(name, replicas);
    return awaitCondition(name, "Ready", Conditions.TRUE);
  }

  /**
   * Creates children with names that the operator does not use any more, by a client of its own.
   */
  void createOldChildren(RESTClient admin, Website site) throws Exception {
    WebsiteChildren children = WebsiteChildren.of(site);
    admin.resource(ConfigMap.TYPE).create(old(children.pages(), site));
    admin.resource(Service.TYPE).create(old(children.service(), site));
    admin.resource(Deployment.TYPE).create(old(children.servers(), site));
  }

  private static <T extends KubernetesObject> T old(T child, Website site) {
    T named =
        KubernetesObject.edit(
            child,
            meta ->
                meta.with(
                    m ->
                        m.name("old")
                            .editLabels(labels -> labels.put(Children.SET, WebsiteOperator.NAME))));
    return OwnerReferences.setController(named, site);
  }

  static String pagesHash(Deployment deployment) {
    return deployment.spec().template().metadata().annotations().get(WebsiteChildren.PAGES_HASH);
  }
}
