package dev.clientgo.apimachinery.serializer;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.Projection;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.watch.Decoder;
import dev.clientgo.apimachinery.watch.WatchDecoder;
import java.io.InputStream;

/** The encoding of a type in JSON. */
final class JsonSerializer<T> implements Serializer<T> {

  static final String MEDIA_TYPE = "application/json";

  private final JsonCodec<T> codec;
  private final ListDecoder.ItemCodecs<T> items;

  JsonSerializer(JsonCodec<T> codec, ListDecoder.ItemCodecs<T> items) {
    this.codec = requireNonNull(codec, "codec");
    this.items = requireNonNull(items, "items");
  }

  @Override
  public String mediaType() {
    return MEDIA_TYPE;
  }

  @Override
  public Serializer<T> project(Projection projection) {
    return new JsonSerializer<>(JsonCodecs.project(codec, projection), items.project(projection));
  }

  @Override
  public byte[] write(T object) {
    if (object instanceof KubernetesObject whole) {
      whole.metadata().requireWritable();
    }
    return JsonWriter.toBytes(codec, object);
  }

  @Override
  public T read(InputStream in, DecodeContext context) {
    return codec.read(JsonReader.of(in, context));
  }

  @Override
  public T read(byte[] object, DecodeContext context) {
    return codec.read(JsonReader.of(object, context));
  }

  @Override
  public ListMeta readList(InputStream in, DecodeContext context, ListSink<? super T> sink) {
    context.startStream();
    return ListDecoder.read(JsonReader.of(in, context), items, sink);
  }

  @Override
  public Decoder<T> watch(InputStream in, DecodeContext context) {
    return WatchDecoder.json(in, codec, context);
  }
}
