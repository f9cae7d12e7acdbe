package dev.clientgo.envtest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What tables say of services, of what stands behind them and of what leads to them. */
final class NetworkCells {

  private static final int FEW = 3;

  private NetworkCells() {}

  /* --------------- Services --------------- */

  static String clusterAddress(Map<String, Object> service) {
    List<String> all = Tree.strings(service, "spec", "clusterIPs");
    String one = Tree.string(service, "spec", "clusterIP");
    return all.isEmpty() ? (one.isEmpty() ? Cells.NONE : one) : all.get(0);
  }

  static String externalAddress(Map<String, Object> service) {
    List<String> addresses = new ArrayList<>();
    String type = Tree.string(service, "spec", "type");
    if (type.equals("ExternalName")) {
      return Tree.string(service, "spec", "externalName");
    }
    boolean balanced = type.equals("LoadBalancer");
    if (balanced) {
      addresses.add(balancers(service));
    }
    addresses.addAll(Tree.strings(service, "spec", "externalIPs"));
    addresses.remove("");
    return addresses.isEmpty()
        ? (balanced ? "<pending>" : Cells.NONE)
        : String.join(",", addresses);
  }

  /** Returns where load balancers are. */
  static String balancers(Map<String, Object> object) {
    TreeSet<String> balancers = new TreeSet<>();
    for (Map<String, Object> balancer : Tree.objects(object, "status", "loadBalancer", "ingress")) {
      String address = Tree.string(balancer, "ip");
      balancers.add(address.isEmpty() ? Tree.string(balancer, "hostname") : address);
    }
    balancers.remove("");
    return String.join(",", balancers);
  }

  static String ports(Map<String, Object> service) {
    String ports =
        Tree.objects(service, "spec", "ports").stream()
            .map(NetworkCells::port)
            .collect(Collectors.joining(","));
    return ports.isEmpty() ? Cells.NONE : ports;
  }

  private static String port(Map<String, Object> port) {
    String protocol = Tree.string(port, "protocol");
    Long node = Tree.number(port, "nodePort");
    return Tree.number(port, "port")
        + (node == null || node == 0 ? "" : ":" + node)
        + "/"
        + (protocol.isEmpty() ? "TCP" : protocol);
  }

  /* --------------- Endpoints --------------- */

  static String endpoints(Map<String, Object> endpoints) {
    List<String> all = new ArrayList<>();
    for (Map<String, Object> subset : Tree.objects(endpoints, "subsets")) {
      List<String> addresses =
          Tree.objects(subset, "addresses").stream()
              .map(address -> Tree.string(address, "ip"))
              .toList();
      List<Map<String, Object>> ports = Tree.objects(subset, "ports");
      if (ports.isEmpty()) {
        all.addAll(addresses);
      }
      for (Map<String, Object> port : ports) {
        addresses.forEach(address -> all.add(joined(address, Cells.number(port, "port", 0))));
      }
    }
    return Cells.few(all, Tree.objects(endpoints, "subsets").isEmpty() ? Cells.NONE : "");
  }

  private static String joined(String address, long port) {
    return (address.contains(":") ? "[" + address + "]" : address) + ":" + port;
  }

  static String slicePorts(Map<String, Object> slice) {
    List<String> ports =
        Tree.objects(slice, "ports").stream()
            .map(
                port -> Objects.toString(port.get("port"), Objects.toString(port.get("name"), "*")))
            .toList();
    return Cells.few(ports, Cells.UNSET);
  }

  static String sliceAddresses(Map<String, Object> slice) {
    List<String> addresses =
        Tree.objects(slice, "endpoints").stream()
            .flatMap(endpoint -> Tree.strings(endpoint, "addresses").stream())
            .toList();
    return Cells.few(addresses, Cells.UNSET);
  }

  /* --------------- Ingresses --------------- */

  static String hosts(Map<String, Object> ingress) {
    List<Map<String, Object>> rules = Tree.objects(ingress, "spec", "rules");
    List<String> hosts =
        rules.stream()
            .map(rule -> Tree.string(rule, "host"))
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
    return Tree.objects(ingress, "spec", "tls").isEmpty() ? "80" : "80, 443";
  }

  static String parameters(Map<String, Object> ingressClass) {
    Map<String, Object> parameters = Tree.object(ingressClass, "spec", "parameters");
    if (parameters.isEmpty()) {
      return Cells.NONE;
    }
    String group = Tree.string(parameters, "apiGroup");
    return Tree.string(parameters, "kind")
        + (group.isEmpty() ? "" : "." + group)
        + "/"
        + Tree.string(parameters, "name");
  }
}
