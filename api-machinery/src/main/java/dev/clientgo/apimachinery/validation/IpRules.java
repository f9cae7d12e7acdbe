package dev.clientgo.apimachinery.validation;

import java.util.List;
import java.util.Optional;

/** The checks of the rules of addresses in {@link NameRule}. */
final class IpRules {

  private static final String ADDRESS_PROBLEM =
      "must be an IP address, such as 10.9.8.7 or 2001:db8::ffff";
  private static final String CIDR_PROBLEM =
      "must be an address and the length of its prefix, such as 10.9.8.0/24 or 2001:db8::/64";

  private IpRules() {}

  static List<String> ip(String text) {
    Optional<IpAddress> ip = IpAddress.parse(text);
    if (ip.isEmpty()) {
      return List.of(ADDRESS_PROBLEM);
    } else if (ip.get().hasLeadingZeros()) {
      return List.of("must not have leading zeros");
    } else if (ip.get().isV4InV6()) {
      return List.of("must not be an IPv4 address in the form of IPv6");
    }
    return canonical(text, ip.get().canonical());
  }

  static List<String> legacyIp(String text) {
    return IpAddress.parse(text).isPresent() ? List.of() : List.of(ADDRESS_PROBLEM);
  }

  static List<String> cidr(String text) {
    Optional<Cidr> cidr = Cidr.parse(text);
    if (cidr.isEmpty()) {
      return List.of(CIDR_PROBLEM);
    }
    IpAddress address = cidr.get().address;
    if (cidr.get().hasLeadingZeros()) {
      return List.of("must not have leading zeros in address or prefix length");
    } else if (address.isV4InV6()) {
      return List.of("must not have an IPv4 address in the form of IPv6");
    } else if (!address.isSameAs(address.masked(cidr.get().prefix))) {
      return List.of("must not have bits set beyond the prefix length");
    }
    return canonical(text, cidr.get().canonical());
  }

  static List<String> legacyCidr(String text) {
    return Cidr.parse(text).isPresent() ? List.of() : List.of(CIDR_PROBLEM);
  }

  static List<String> interfaceAddress(String text) {
    return Cidr.parse(text)
        .map(cidr -> canonical(text, cidr.canonical()))
        .orElse(List.of(CIDR_PROBLEM));
  }

  private static List<String> canonical(String text, String canonical) {
    return text.equals(canonical)
        ? List.of()
        : List.of("must be in canonical form, which is '" + canonical + "'");
  }

  /** An address and the length of a prefix. */
  private record Cidr(IpAddress address, String prefixText, int prefix) {

    static Optional<Cidr> parse(String text) {
      int slash = text.indexOf('/');
      if (slash < 0) {
        return Optional.empty();
      }
      String length = text.substring(slash + 1);
      return IpAddress.parse(text.substring(0, slash))
          .map(ip -> new Cidr(ip, length, IpAddress.number(length, ip.bits())))
          .filter(cidr -> cidr.prefix >= 0);
    }

    boolean hasLeadingZeros() {
      return address.hasLeadingZeros() || IpAddress.hasLeadingZeros(prefixText);
    }

    String canonical() {
      // Some prefix lengths count the 96 bits before a mapped IPv4 address, others do not.
      boolean counted = address.isV4InV6() && prefix > 32;
      return address.canonical() + "/" + (counted ? prefix - 96 : prefix);
    }
  }
}
