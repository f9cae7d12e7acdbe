package dev.clientgo.rest;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import org.jspecify.annotations.Nullable;

/**
 * The desired and the current number of replicas of an object of any kind.
 *
 * <p>Immutable. Corresponds to client-go's {@code autoscaling/v1.Scale}. Unlike client-go: it does
 * not read the forms of older groups, which no server since 1.16 sends.
 *
 * @param metadata name, namespace, uid, resourceVersion and creationTimestamp of the object
 * @param spec the desired state
 * @param status the current state; absent from a request
 */
public record Scale(ObjectMeta metadata, @Nullable Spec spec, @Nullable Status status)
    implements KubernetesObject {

  /** Reads and writes this type. */
  public static final JsonCodec<Scale> CODEC = new Codec();

  @SuppressWarnings("ReferenceEquality") // EMPTY stands for an absent part by its identity
  public Scale {
    requireNonNull(metadata, "metadata");
    spec = spec == Spec.EMPTY ? null : spec;
    status = status == Status.EMPTY ? null : status;
  }

  /** Returns the desired state; never null, {@link Spec#EMPTY} if absent. */
  @Override
  public Spec spec() {
    return spec == null ? Spec.EMPTY : spec;
  }

  /** Returns the current state; never null, {@link Status#EMPTY} if absent. */
  @Override
  public Status status() {
    return status == null ? Status.EMPTY : status;
  }

  /**
   * The desired state.
   *
   * @param replicas the desired number; absent from a response, it means zero
   */
  public record Spec(@Nullable Integer replicas) {

    /**
     * The value that {@link Scale#spec} returns if the spec is absent; a {@code Scale} that gets it
     * has no spec.
     */
    public static final Spec EMPTY = new Spec(null);
  }

  /**
   * The current state.
   *
   * @param replicas the current number
   * @param selector the label selector of the pods, absent if the object has none
   */
  public record Status(int replicas, @Nullable String selector) {

    /**
     * The value that {@link Scale#status} returns if the status is absent; a {@code Scale} that
     * gets it has no status.
     */
    public static final Status EMPTY = new Status(0, null);
  }

  @Override
  public String apiVersion() {
    return "autoscaling/v1";
  }

  @Override
  public String kind() {
    return "Scale";
  }

  @Override
  public Scale withMetadata(ObjectMeta metadata) {
    return new Scale(metadata, spec, status);
  }

  /** Returns how many replicas are wanted. */
  public int replicas() {
    Integer replicas = spec().replicas();
    return replicas == null ? 0 : replicas;
  }

  /** Returns the same with another number of replicas wanted. */
  public Scale withReplicas(int replicas) {
    return new Scale(metadata, new Spec(replicas), status);
  }

  private static final class Codec implements JsonCodec<Scale> {

    private static final FieldNames FIELDS = FieldNames.of("metadata", "spec", "status");
    private static final JsonCodec<Spec> SPEC = new SpecCodec();
    private static final JsonCodec<Status> STATUS = new StatusCodec();

    @Override
    public Scale read(JsonReader in) {
      ObjectMeta metadata = ObjectMeta.EMPTY;
      Spec spec = null;
      Status status = null;
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> metadata = ObjectMeta.CODEC.read(in);
          case 1 -> spec = SPEC.read(in);
          case 2 -> status = STATUS.read(in);
          default -> throw new AssertionError(field);
        }
      }
      return new Scale(metadata, spec, status);
    }

    @Override
    public void write(JsonWriter out, Scale value) {
      out.beginObject();
      out.field("apiVersion", value.apiVersion());
      out.field("kind", value.kind());
      out.field("metadata", ObjectMeta.CODEC, value.metadata());
      out.field("spec", SPEC, value.spec);
      out.field("status", STATUS, value.status);
      out.endObject();
    }
  }

  private static final class SpecCodec implements JsonCodec<Spec> {

    private static final FieldNames FIELDS = FieldNames.of("replicas");

    @Override
    public Spec read(JsonReader in) {
      Integer replicas = null;
      in.beginObject();
      while (in.nextField(FIELDS) != JsonReader.END) {
        replicas = in.nextInt();
      }
      return new Spec(replicas);
    }

    @Override
    public void write(JsonWriter out, Spec value) {
      out.beginObject();
      out.field("replicas", value.replicas());
      out.endObject();
    }
  }

  private static final class StatusCodec implements JsonCodec<Status> {

    private static final FieldNames FIELDS = FieldNames.of("replicas", "selector");

    @Override
    public Status read(JsonReader in) {
      int replicas = 0;
      String selector = null;
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> replicas = in.nextInt();
          case 1 -> selector = in.nextString();
          default -> throw new AssertionError(field);
        }
      }
      return new Status(replicas, selector);
    }

    @Override
    public void write(JsonWriter out, Status value) {
      out.beginObject();
      out.field("replicas", value.replicas());
      out.field("selector", value.selector());
      out.endObject();
    }
  }
}
