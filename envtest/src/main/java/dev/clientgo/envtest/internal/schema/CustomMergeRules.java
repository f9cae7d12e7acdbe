package dev.clientgo.envtest.internal.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a custom kind, as its schema says.
 *
 * @param schema the schema of the place
 * @param root whether this is the object itself, whose metadata is that of all objects
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
  public @Nullable Object otherwise(String key) {
    return schema.items().field(key).otherwise();
  }
}
