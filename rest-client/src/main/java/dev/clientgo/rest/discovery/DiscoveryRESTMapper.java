package dev.clientgo.rest.discovery;

import dev.clientgo.apimachinery.restmapper.DefaultRESTMapper;
import dev.clientgo.apimachinery.restmapper.MultiRESTMapper;
import dev.clientgo.apimachinery.restmapper.PriorityRESTMapper;
import dev.clientgo.apimachinery.restmapper.RESTMapper;
import dev.clientgo.apimachinery.restmapper.RESTMapping.Scope;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Makes mappers from the result of a discovery.
 *
 * <p>If several groups or versions match, the core group comes first, then the preferred version of
 * each group in the server's order. Corresponds to client-go's {@code
 * restmapper.NewDiscoveryRESTMapper}.
 */
final class DiscoveryRESTMapper {

  private static final String ANY = PriorityRESTMapper.ANY;

  private final List<RESTMapper> mappers = new ArrayList<>();
  private final List<GroupVersionResource> resources = new ArrayList<>();
  private final List<GroupVersionKind> kinds = new ArrayList<>();

  private DiscoveryRESTMapper() {}

  /** Returns an immutable mapper. */
  static RESTMapper of(ServerResources served) {
    DiscoveryRESTMapper mapper = new DiscoveryRESTMapper();
    mapper.prefer("", "v1");
    served.groups().forEach(group -> mapper.add(group, served));
    served.groups().forEach(group -> mapper.prefer(group.name(), ANY));
    return PriorityRESTMapper.of(
        MultiRESTMapper.of(mapper.mappers), mapper.resources, mapper.kinds);
  }

  private void add(APIGroup group, ServerResources served) {
    GroupVersion preferred = group.preferredVersion();
    if (preferred != null && served.resources().containsKey(preferred)) {
      prefer(preferred.group(), preferred.version());
    }
    for (GroupVersion version : group.versions()) {
      List<APIResource> found = served.resources().get(version);
      if (found == null) {
        continue;
      }
      if (!version.equals(preferred)) {
        prefer(version.group(), version.version());
      }
      mappers.add(mapper(version, found));
    }
  }

  private void prefer(String group, String version) {
    resources.add(new GroupVersionResource(group, version, ANY));
    kinds.add(new GroupVersionKind(group, version, ANY));
  }

  private static RESTMapper mapper(GroupVersion version, List<APIResource> resources) {
    DefaultRESTMapper.Builder mapper = DefaultRESTMapper.builder(version);
    for (APIResource resource : resources) {
      if (resource.isSubresource()) {
        continue;
      }
      String kind = resource.kind();
      String lower = kind.toLowerCase(Locale.ROOT);
      String singular = resource.singularName().isEmpty() ? lower : resource.singularName();
      Scope scope = resource.namespaced() ? Scope.NAMESPACE : Scope.ROOT;
      mapper.addSpecific(version.withKind(lower), resource.name(), singular, scope);
      mapper.addSpecific(version.withKind(kind), resource.name(), singular, scope);
      mapper.add(version.withKind(kind + "List"), scope);
    }
    return mapper.add(version.withKind("List"), Scope.ROOT).build();
  }
}
