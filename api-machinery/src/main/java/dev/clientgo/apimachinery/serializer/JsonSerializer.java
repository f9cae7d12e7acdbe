package dev.clientgo.apimachinery.serializer;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.Projection;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.watch.Decoder;
import dev.clientgo.apimachinery.watch.WatchDecoder;
import java.io.InputStream;

/** The encoding of a type in JSON, or in CBOR, which has the same values in other bytes. */
final class JsonSerializer<T> implements Serializer<T> {

  static final String MEDIA_TYPE = "application/json";

  /** How the values are bytes. */
  enum Format {
    JSON(MEDIA_TYPE, MEDIA_TYPE),
    CBOR("application/cbor", "application/cbor-seq");

    private final String mediaType;

    /** The media type of a watch, which is a sequence of values. */
    private final String sequence;

    Format(String mediaType, String sequence) {
      this.mediaType = mediaType;
      this.sequence = sequence;
    }

    private JsonReader reader(InputStream in, DecodeContext context) {
      return this == CBOR ? JsonReader.ofCbor(in, context) : JsonReader.of(in, context);
    }

    private JsonReader reader(byte[] bytes, DecodeContext context) {
      return this == CBOR ? JsonReader.ofCbor(bytes, context) : JsonReader.of(bytes, context);
    }

    private <T> byte[] write(JsonCodec<T> codec, T value) {
      return this == CBOR ? JsonWriter.toCbor(codec, value) : JsonWriter.toBytes(codec, value);
    }
  }

  private final Format format;
  private final JsonCodec<T> codec;
  private final ListDecoder.ItemCodecs<T> items;

  JsonSerializer(Format format, JsonCodec<T> codec, ListDecoder.ItemCodecs<T> items) {
    this.format = format;
    this.codec = requireNonNull(codec, "codec");
    this.items = requireNonNull(items, "items");
  }

  Format format() {
    return format;
  }

  /** Returns the encoding of the same objects in another format. */
  JsonSerializer<T> in(Format other) {
    return new JsonSerializer<>(other, codec, items);
  }

  @Override
  public String mediaType() {
    return format.mediaType;
  }

  @Override
  public boolean reads(String mediaType) {
    return mediaType.equals(format.mediaType) || mediaType.equals(format.sequence);
  }

  @Override
  public Serializer<T> project(Projection projection) {
    return new JsonSerializer<>(format, projection.codec(codec), items.project(projection));
  }

  @Override
  public byte[] write(T object) {
    if (object instanceof KubernetesObject whole) {
      whole.metadata().requireWritable();
    }
    return format.write(codec, object);
  }

  @Override
  public T read(InputStream in, DecodeContext context) {
    return codec.read(format.reader(in, context));
  }

  @Override
  public T read(byte[] object, DecodeContext context) {
    return codec.read(format.reader(object, context));
  }

  @Override
  public ListMeta readList(InputStream in, DecodeContext context, ListSink<? super T> sink) {
    context.startStream();
    return ListDecoder.read(format.reader(in, context), items, sink);
  }

  @Override
  public Decoder<T> watch(InputStream in, DecodeContext context) {
    return WatchDecoder.of(format.reader(in, context), codec);
  }
}
