package dev.clientgo.envtest.internal.tables;

import static dev.clientgo.envtest.internal.json.JsonTree.number;
import static dev.clientgo.envtest.internal.json.JsonTree.object;
import static dev.clientgo.envtest.internal.json.JsonTree.objects;
import static dev.clientgo.envtest.internal.json.JsonTree.string;
import static dev.clientgo.envtest.internal.json.JsonTree.strings;
import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/** Cells of services, endpoints and ingresses. */
final class NetworkCells {

  private static final int FEW = 3;

  private NetworkCells() {}

  /* --------------- Services --------------- */

  static String clusterAddress(Map<String, Object> service) {
    List<String> all = strings(service, "spec", "clusterIPs");
    String one = string(service, "spec", "clusterIP");
    return all.isEmpty() ? (one.isEmpty() ? Cells.NONE : one) : all.get(0);
  }

  static String externalAddress(Map<String, Object> service) {
    List<String> addresses = new ArrayList<>();
    String type = string(service, "spec", "type");
    if (type.equals("ExternalName")) {
      return string(service, "spec", "externalName");
    }
    boolean balanced = type.equals("LoadBalancer");
    if (balanced) {
      addresses.add(balancers(service));
    }
    addresses.addAll(strings(service, "spec", "externalIPs"));
    addresses.remove("");
    return addresses.isEmpty()
        ? (balanced ? "<pending>" : Cells.NONE)
        : String.join(",", addresses);
  }

  /** Returns the addresses of the load balancers. */
  static String balancers(Map<String, Object> object) {
    TreeSet<String> balancers = new TreeSet<>();
    for (Map<String, Object> balancer : objects(object, "status", "loadBalancer", "ingress")) {
      String address = string(balancer, "ip");
      balancers.add(address.isEmpty() ? string(balancer, "hostname") : address);
    }
    balancers.remove("");
    return String.join(",", balancers);
  }

  static String ports(Map<String, Object> service) {
    String ports =
        objects(service, "spec", "ports").stream().map(NetworkCells::port).collect(joining(","));
    return ports.isEmpty() ? Cells.NONE : ports;
  }

  private static String port(Map<String, Object> port) {
    String protocol = string(port, "protocol");
    Long node = number(port, "nodePort");
    return number(port, "port")
        + (node == null || node == 0 ? "" : ":" + node)
        + "/"
        + (protocol.isEmpty() ? "TCP" : protocol);
  }

  /* --------------- Endpoints --------------- */

  static String endpoints(Map<String, Object> endpoints) {
    List<String> all = new ArrayList<>();
    for (Map<String, Object> subset : objects(endpoints, "subsets")) {
      List<String> addresses =
          objects(subset, "addresses").stream().map(address -> string(address, "ip")).toList();
      List<Map<String, Object>> ports = objects(subset, "ports");
      if (ports.isEmpty()) {
        all.addAll(addresses);
      }
      for (Map<String, Object> port : ports) {
        addresses.forEach(address -> all.add(joined(address, Cells.number(port, "port", 0))));
      }
    }
    return Cells.few(all, objects(endpoints, "subsets").isEmpty() ? Cells.NONE : "");
  }

  private static String joined(String address, long port) {
    return (address.contains(":") ? "[" + address + "]" : address) + ":" + port;
  }

  static String slicePorts(Map<String, Object> slice) {
    List<String> ports =
        objects(slice, "ports").stream()
            .map(
                port -> Objects.toString(port.get("port"), Objects.toString(port.get("name"), "*")))
            .toList();
    return Cells.few(ports, Cells.UNSET);
  }

  static String sliceAddresses(Map<String, Object> slice) {
    List<String> addresses =
        objects(slice, "endpoints").stream()
            .flatMap(endpoint -> strings(endpoint, "addresses").stream())
            .toList();
    return Cells.few(addresses, Cells.UNSET);
  }

  /* --------------- Ingresses --------------- */

  static String hosts(Map<String, Object> ingress) {
    List<Map<String, Object>> rules = objects(ingress, "spec", "rules");
    List<String> hosts =
        rules.stream()
            .map(rule -> string(rule, "host"))
            .filter(host -> !host.isEmpty())
            .limit(FEW)
            .toList();
    if (hosts.isEmpty()) {
      return "*";
    }
    String text = String.join(",", hosts);
    return hosts.size() == FEW && rules.size() > FEW
        ? text + " + " + (rules.size() - FEW) + " more..."
        : text;
  }

  static String tlsPorts(Map<String, Object> ingress) {
    return objects(ingress, "spec", "tls").isEmpty() ? "80" : "80, 443";
  }

  static String parameters(Map<String, Object> ingressClass) {
    Map<String, Object> parameters = object(ingressClass, "spec", "parameters");
    if (parameters.isEmpty()) {
      return Cells.NONE;
    }
    String group = string(parameters, "apiGroup");
    return string(parameters, "kind")
        + (group.isEmpty() ? "" : "." + group)
        + "/"
        + string(parameters, "name");
  }
}
