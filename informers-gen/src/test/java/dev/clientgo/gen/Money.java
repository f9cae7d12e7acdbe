package dev.clientgo.gen;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.RawJson;

/** A class such as a user maps to a part of a schema. */
public record Money(RawJson json) {

  public static final JsonCodec<Money> CODEC =
      new JsonCodec<>() {
        @Override
        public Money read(JsonReader in) {
          return new Money(in.nextRaw());
        }

        @Override
        public void write(JsonWriter out, Money value) {
          out.raw(value.json());
        }
      };
}
