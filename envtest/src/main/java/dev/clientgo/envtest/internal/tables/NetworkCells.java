package dev.clientgo.envtest.internal.tables;

import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Cells of services, endpoints and ingresses. */
final class NetworkCells {

  private static final int FEW = 3;

  private NetworkCells() {}

  /* --------------- Services --------------- */

  static String clusterAddress(Map<String, Object> service) {
    List<String> all = JsonTree.strings(service, "spec", "clusterIPs");
    String one = JsonTree.string(service, "spec", "clusterIP");
    return all.isEmpty() ? (one.isEmpty() ? Cells.NONE : one) : all.get(0);
  }

  static String externalAddress(Map<String, Object> service) {
    List<String> addresses = new ArrayList<>();
    String type = JsonTree.string(service, "spec", "type");
    if (type.equals("ExternalName")) {
      return JsonTree.string(service, "spec", "externalName");
    }
    boolean balanced = type.equals("LoadBalancer");
    if (balanced) {
      addresses.add(balancers(service));
    }
    addresses.addAll(JsonTree.strings(service, "spec", "externalIPs"));
    addresses.remove("");
    return addresses.isEmpty()
        ? (balanced ? "<pending>" : Cells.NONE)
        : String.join(",", addresses);
  }

  /** Returns the addresses of the load balancers. */
  static String balancers(Map<String, Object> object) {
    TreeSet<String> balancers = new TreeSet<>();
    for (Map<String, Object> balancer :
        JsonTree.objects(object, "status", "loadBalancer", "ingress")) {
      String address = JsonTree.string(balancer, "ip");
      balancers.add(address.isEmpty() ? JsonTree.string(balancer, "hostname") : address);
    }
    balancers.remove("");
    return String.join(",", balancers);
  }

  static String ports(Map<String, Object> service) {
    String ports =
        JsonTree.objects(service, "spec", "ports").stream()
            .map(NetworkCells::port)
            .collect(Collectors.joining(","));
    return ports.isEmpty() ? Cells.NONE : ports;
  }

  private static String port(Map<String, Object> port) {
    String protocol = JsonTree.string(port, "protocol");
    Long node = JsonTree.number(port, "nodePort");
    return JsonTree.number(port, "port")
        + (node == null || node == 0 ? "" : ":" + node)
        + "/"
        + (protocol.isEmpty() ? "TCP" : protocol);
  }

  /* --------------- Endpoints --------------- */

  static String endpoints(Map<String, Object> endpoints) {
    List<String> all = new ArrayList<>();
    for (Map<String, Object> subset : JsonTree.objects(endpoints, "subsets")) {
      List<String> addresses =
          JsonTree.objects(subset, "addresses").stream()
              .map(address -> JsonTree.string(address, "ip"))
              .toList();
      List<Map<String, Object>> ports = JsonTree.objects(subset, "ports");
      if (ports.isEmpty()) {
        all.addAll(addresses);
      }
      for (Map<String, Object> port : ports) {
        addresses.forEach(address -> all.add(joined(address, Cells.number(port, "port", 0))));
      }
    }
    return Cells.few(all, JsonTree.objects(endpoints, "subsets").isEmpty() ? Cells.NONE : "");
  }

  private static String joined(String address, long port) {
    return (address.contains(":") ? "[" + address + "]" : address) + ":" + port;
  }

  static String slicePorts(Map<String, Object> slice) {
    List<String> ports =
        JsonTree.objects(slice, "ports").stream()
            .map(
                port -> Objects.toString(port.get("port"), Objects.toString(port.get("name"), "*")))
            .toList();
    return Cells.few(ports, Cells.UNSET);
  }

  static String sliceAddresses(Map<String, Object> slice) {
    List<String> addresses =
        JsonTree.objects(slice, "endpoints").stream()
            .flatMap(endpoint -> JsonTree.strings(endpoint, "addresses").stream())
            .toList();
    return Cells.few(addresses, Cells.UNSET);
  }

  /* --------------- Ingresses --------------- */

  static String hosts(Map<String, Object> ingress) {
    List<Map<String, Object>> rules = JsonTree.objects(ingress, "spec", "rules");
    List<String> hosts =
        rules.stream()
            .map(rule -> JsonTree.string(rule, "host"))
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
    return JsonTree.objects(ingress, "spec", "tls").isEmpty() ? "80" : "80, 443";
  }

  static String parameters(Map<String, Object> ingressClass) {
    Map<String, Object> parameters = JsonTree.object(ingressClass, "spec", "parameters");
    if (parameters.isEmpty()) {
      return Cells.NONE;
    }
    String group = JsonTree.string(parameters, "apiGroup");
    return JsonTree.string(parameters, "kind")
        + (group.isEmpty() ? "" : "." + group)
        + "/"
        + JsonTree.string(parameters, "name");
  }
}
