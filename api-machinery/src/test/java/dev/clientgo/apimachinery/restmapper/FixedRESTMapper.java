package dev.clientgo.apimachinery.restmapper;

import dev.clientgo.apimachinery.errors.NoMatchException;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import java.util.List;
import java.util.function.Supplier;

/** Answers every question with the same kinds, or fails. */
record FixedRESTMapper(Supplier<List<GroupVersionKind>> kinds) implements RESTMapper {

  static FixedRESTMapper knows(GroupVersionKind... kinds) {
    return new FixedRESTMapper(() -> List.of(kinds));
  }

  static FixedRESTMapper fails(RuntimeException error) {
    return new FixedRESTMapper(
        () -> {
          throw error;
        });
  }

  static FixedRESTMapper knowsNothing() {
    return fails(NoMatchException.kind(new GroupKind("", "IGNORE_THIS"), List.of()));
  }

  @Override
  public GroupVersionKind kindFor(GroupVersionResource resource) {
    return kinds.get().get(0);
  }

  @Override
  public List<GroupVersionKind> kindsFor(GroupVersionResource resource) {
    return kinds.get();
  }

  @Override
  public GroupVersionResource resourceFor(GroupVersionResource resource) {
    return resourcesFor(resource).get(0);
  }

  @Override
  public List<GroupVersionResource> resourcesFor(GroupVersionResource resource) {
    return kinds.get().stream().map(DefaultRESTMapper::guessPlural).toList();
  }

  @Override
  public RESTMapping restMapping(GroupKind kind, String... versions) {
    return restMappings(kind, versions).get(0);
  }

  @Override
  public List<RESTMapping> restMappings(GroupKind kind, String... versions) {
    return kinds.get().stream()
        .map(
            known ->
                new RESTMapping(
                    DefaultRESTMapper.guessPlural(known), known, RESTMapping.Scope.NAMESPACE))
        .toList();
  }

  @Override
  public String singularize(String resource) {
    return kinds.get().get(0).kind();
  }
}
