package dev.clientgo.envtest.internal.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The merge rules of a custom kind, from its schema.
 *
 * @param schema the schema of the place
 * @param root whether the place is the whole object, whose metadata has the rules of all metadata
 */
public record CustomMergeRules(StructuralSchema schema, boolean root) implements MergeRules {

  @Override
  public MergeRules field(String name) {
    return root && name.equals("metadata")
        ? BuiltInMergeRules.ROOT.field(name)
        : new CustomMergeRules(schema.field(name), false);
  }

  @Override
  public MergeRules items() {
    return new CustomMergeRules(schema.items(), false);
  }

  @Override
  public boolean isAtomic() {
    return schema.extension("map-type").equals("atomic");
  }

  @Override
  public boolean isSet() {
    return schema.extension("list-type").equals("set");
  }

  @Override
  public List<String> keys() {
    return schema.extension("list-type").equals("map") ? schema.listMapKeys() : List.of();
  }

  @Override
  public boolean isAlwaysThere() {
    return root;
  }

  @Override
  public @Nullable Object defaultValue(String key) {
    return schema.items().field(key).defaultValue();
  }
}
