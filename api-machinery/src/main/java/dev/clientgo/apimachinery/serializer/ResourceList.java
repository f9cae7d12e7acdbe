package dev.clientgo.apimachinery.serializer;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ListMeta;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A list of objects of one type from a server.
 *
 * <p>{@link ResourceType#listCodec} reads and writes such a list as a whole. Its kind is that of
 * the objects followed by {@code List}. Immutable. Corresponds to client-go's {@code
 * corev1.PodList} and its like, which are one type here.
 *
 * @param <T> the type of the objects
 * @param metadata the metadata of the list
 * @param items the objects, unmodifiable
 */
public record ResourceList<T>(ListMeta metadata, List<T> items) implements Iterable<T> {

  public ResourceList {
    requireNonNull(metadata, "metadata");
    items = List.copyOf(items);
  }

  @Override
  public Iterator<T> iterator() {
    return items.iterator();
  }

  /** Returns the objects, in the order of the list. */
  public Stream<T> stream() {
    return items.stream();
  }

  /** Reads and writes lists of one type. */
  static final class Codec<T extends KubernetesObject> implements JsonCodec<ResourceList<T>> {

    private final ResourceType<T> type;

    Codec(ResourceType<T> type) {
      this.type = type;
    }

    @Override
    public ResourceList<T> read(JsonReader in) {
      List<T> items = new ArrayList<>();
      ListMeta metadata = ListDecoder.read(in, type.codec(), items::add);
      return new ResourceList<>(metadata, items);
    }

    @Override
    public void write(JsonWriter out, ResourceList<T> list) {
      out.beginObject();
      out.field("apiVersion", type.listKind().groupVersion().toString());
      out.field("kind", type.listKind().kind());
      out.field("metadata", ListMeta.CODEC, list.metadata());
      out.listField("items", type.codec(), list.items());
      out.endObject();
    }
  }
}
