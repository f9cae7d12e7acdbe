package com.example.api.stable.v1;

import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.Immutable;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.Edits;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.meta.TypeMeta;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.OpenEnum;
import dev.clientgo.apimachinery.serializer.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.annotation.processing.Generated;
import org.jspecify.annotations.Nullable;

/**
 * CronTab runs a command at certain times.
 *
 * <p>It is like the crontab of old, but for clusters.
 *
 * @param spec What is to run, and when.
 * @param status What was last seen.
 */
@Generated("dev.clientgo.gen")
public record CronTab(@Nullable ObjectMeta metadata, @Nullable Spec spec, @Nullable Status status)
    implements KubernetesObject {

  /** Reads and writes this type. */
  public static final JsonCodec<CronTab> CODEC = new Codec();

  /** The resource: its kind, its plural, its scope and the codec of its objects. */
  public static final ResourceType<CronTab> TYPE =
      ResourceType.namespaced(
          new GroupVersionKind("stable.example.com", "v1", "CronTab"), "crontabs", CODEC);

  /** Not part of the stable API, since fields are added: use the builder. */
  public CronTab {
    metadata = metadata == null || metadata == ObjectMeta.EMPTY ? null : metadata;
    spec = spec == null || spec == Spec.EMPTY ? null : spec;
    status = status == null || status == Status.EMPTY ? null : status;
  }

  /** Returns a builder in which nothing is set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a new value, whose fields {@code fill} sets. */
  public static CronTab of(Consumer<Builder> fill) {
    Builder builder = new Builder();
    fill.accept(builder);
    return builder.build();
  }

  /** Returns a new object of this name, whose other fields {@code fill} sets. */
  public static CronTab of(String namespace, String name, Consumer<Builder> fill) {
    Builder builder = new Builder();
    builder.metadata = ObjectMeta.builder().namespace(namespace).name(name).build();
    fill.accept(builder);
    return builder.build();
  }

  /** Returns a copy of this value with the changes that {@code edit} makes. */
  public CronTab with(Consumer<Builder> edit) {
    Builder builder = toBuilder();
    edit.accept(builder);
    return builder.build();
  }

  /** Returns a builder that starts with this value. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Returns {@code metadata}; never null, empty if absent. */
  @Override
  public ObjectMeta metadata() {
    return metadata == null ? ObjectMeta.EMPTY : metadata;
  }

  /** Returns {@code spec}; never null, empty if absent. */
  @Override
  public Spec spec() {
    return spec == null ? Spec.EMPTY : spec;
  }

  /** Returns {@code status}; never null, empty if absent. */
  @Override
  public Status status() {
    return status == null ? Status.EMPTY : status;
  }

  @Override
  public String apiVersion() {
    return "stable.example.com/v1";
  }

  @Override
  public String kind() {
    return "CronTab";
  }

  @Override
  public CronTab withMetadata(ObjectMeta metadata) {
    return toBuilder().metadata(metadata).build();
  }

  /**
   * What is to run, and when.
   *
   * @param cronSpec The schedule in cron format.
   * @param image The image to run.
   * @param replicas How many to run at once. Default: {@code 1}.
   * @param concurrencyPolicy What to do while one still runs.
   * @param env Environment variables.
   * @param nodeSelector Where it may run.
   */
  public record Spec(
      @Nullable String cronSpec,
      @Nullable String image,
      @Nullable Integer replicas,
      @Nullable ConcurrencyPolicy concurrencyPolicy,
      @Nullable List<Env> env,
      @Nullable Map<String, String> nodeSelector) {

    /** Reads and writes this type. */
    public static final JsonCodec<Spec> CODEC = new Codec();

    /**
     * Stands for an absent value: accessors return it, and constructors and builders keep a part
     * absent that gets it. To send an empty object, use {@code builder().build()}.
     */
    public static final Spec EMPTY = new Builder().build();

    /** Not part of the stable API, since fields are added: use the builder. */
    public Spec {
      env = Immutable.list(env);
      nodeSelector = Immutable.map(nodeSelector);
    }

    /** Returns a builder in which nothing is set. */
    public static Builder builder() {
      return new Builder();
    }

    /** Returns a new value, whose fields {@code fill} sets. */
    public static Spec of(Consumer<Builder> fill) {
      Builder builder = new Builder();
      fill.accept(builder);
      return builder.build();
    }

    /** Returns a copy of this value with the changes that {@code edit} makes. */
    public Spec with(Consumer<Builder> edit) {
      Builder builder = toBuilder();
      edit.accept(builder);
      return builder.build();
    }

    /** Returns a builder that starts with this value. */
    public Builder toBuilder() {
      return new Builder(this);
    }

    /** Returns {@code env}; never null, empty if absent. */
    @Override
    public List<Env> env() {
      return Immutable.orEmpty(env);
    }

    /** Returns {@code nodeSelector}; never null, empty if absent. */
    @Override
    public Map<String, String> nodeSelector() {
      return Immutable.orEmpty(nodeSelector);
    }

    /** Builds a {@link Spec}. Not safe for use by many threads. */
    public static final class Builder {

      private @Nullable String cronSpec;
      private @Nullable String image;
      private @Nullable Integer replicas;
      private @Nullable ConcurrencyPolicy concurrencyPolicy;
      private @Nullable List<Env> env;
      private @Nullable Map<String, String> nodeSelector;

      private Builder() {}

      private Builder(Spec value) {
        this.cronSpec = value.cronSpec;
        this.image = value.image;
        this.replicas = value.replicas;
        this.concurrencyPolicy = value.concurrencyPolicy;
        this.env = value.env;
        this.nodeSelector = value.nodeSelector;
      }

      /** Sets {@code cronSpec}. */
      public Builder cronSpec(@Nullable String cronSpec) {
        this.cronSpec = cronSpec;
        return this;
      }

      /** Sets {@code image}. */
      public Builder image(@Nullable String image) {
        this.image = image;
        return this;
      }

      /** Sets {@code replicas}. */
      public Builder replicas(@Nullable Integer replicas) {
        this.replicas = replicas;
        return this;
      }

      /** Sets {@code concurrencyPolicy}. */
      public Builder concurrencyPolicy(@Nullable ConcurrencyPolicy concurrencyPolicy) {
        this.concurrencyPolicy = concurrencyPolicy;
        return this;
      }

      /** Sets {@code env}. */
      public Builder env(@Nullable List<Env> env) {
        this.env = env;
        return this;
      }

      /** Adds an element to {@code env}, whose fields {@code fill} sets. */
      public Builder addEnv(Consumer<Env.Builder> fill) {
        Env.Builder builder = Env.builder();
        fill.accept(builder);
        this.env = Edits.add(this.env, builder.build());
        return this;
      }

      /** Edits {@code env}, which begins empty if absent. */
      public Builder editEnv(Consumer<List<Env>> edit) {
        this.env = Edits.list(this.env, edit);
        return this;
      }

      /** Edits the element of {@code env} with this {@code name}, and adds it if absent. */
      public Builder editEnv(String name, Consumer<Env.Builder> edit) {
        this.env =
            Edits.element(
                this.env,
                each -> name.equals(each.name()),
                each -> {
                  Env.Builder builder = each == null ? Env.builder().name(name) : each.toBuilder();
                  edit.accept(builder);
                  return builder.build();
                });
        return this;
      }

      /** Sets {@code nodeSelector}. */
      public Builder nodeSelector(@Nullable Map<String, String> nodeSelector) {
        this.nodeSelector = nodeSelector;
        return this;
      }

      /** Edits {@code nodeSelector}, which begins empty if absent. */
      public Builder editNodeSelector(Consumer<Map<String, String>> edit) {
        this.nodeSelector = Edits.map(this.nodeSelector, edit);
        return this;
      }

      /** Returns the value built. */
      public Spec build() {
        return new Spec(cronSpec, image, replicas, concurrencyPolicy, env, nodeSelector);
      }
    }

    private static final class Codec implements JsonCodec<Spec> {

      private static final FieldNames FIELDS =
          FieldNames.of(
              "cronSpec", "image", "replicas", "concurrencyPolicy", "env", "nodeSelector");

      @Override
      public Spec read(JsonReader in) {
        String cronSpec = null;
        String image = null;
        Integer replicas = null;
        ConcurrencyPolicy concurrencyPolicy = null;
        List<Env> env = null;
        Map<String, String> nodeSelector = null;
        in.beginObject();
        for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
          switch (field) {
            case 0 -> cronSpec = in.nextString();
            case 1 -> image = in.nextString();
            case 2 -> replicas = in.nextInt();
            case 3 -> concurrencyPolicy = ConcurrencyPolicy.CODEC.read(in);
            case 4 -> env = in.nextList(Env.CODEC);
            case 5 -> nodeSelector = in.nextStringMap();
            default -> throw new AssertionError(field);
          }
        }
        return new Spec(cronSpec, image, replicas, concurrencyPolicy, env, nodeSelector);
      }

      @Override
      public void write(JsonWriter out, Spec value) {
        out.beginObject();
        out.field("cronSpec", value.cronSpec);
        out.field("image", value.image);
        out.field("replicas", value.replicas);
        out.field("concurrencyPolicy", ConcurrencyPolicy.CODEC, value.concurrencyPolicy);
        out.listField("env", Env.CODEC, value.env);
        out.stringMapField("nodeSelector", value.nodeSelector);
        out.endObject();
      }
    }
  }

  /** What was last seen. */
  public record Status(@Nullable Integer active, @Nullable Time lastScheduleTime) {

    /** Reads and writes this type. */
    public static final JsonCodec<Status> CODEC = new Codec();

    /**
     * Stands for an absent value: accessors return it, and constructors and builders keep a part
     * absent that gets it. To send an empty object, use {@code builder().build()}.
     */
    public static final Status EMPTY = new Builder().build();

    /** Returns a builder in which nothing is set. */
    public static Builder builder() {
      return new Builder();
    }

    /** Returns a new value, whose fields {@code fill} sets. */
    public static Status of(Consumer<Builder> fill) {
      Builder builder = new Builder();
      fill.accept(builder);
      return builder.build();
    }

    /** Returns a copy of this value with the changes that {@code edit} makes. */
    public Status with(Consumer<Builder> edit) {
      Builder builder = toBuilder();
      edit.accept(builder);
      return builder.build();
    }

    /** Returns a builder that starts with this value. */
    public Builder toBuilder() {
      return new Builder(this);
    }

    /** Builds a {@link Status}. Not safe for use by many threads. */
    public static final class Builder {

      private @Nullable Integer active;
      private @Nullable Time lastScheduleTime;

      private Builder() {}

      private Builder(Status value) {
        this.active = value.active;
        this.lastScheduleTime = value.lastScheduleTime;
      }

      /** Sets {@code active}. */
      public Builder active(@Nullable Integer active) {
        this.active = active;
        return this;
      }

      /** Sets {@code lastScheduleTime}. */
      public Builder lastScheduleTime(@Nullable Time lastScheduleTime) {
        this.lastScheduleTime = lastScheduleTime;
        return this;
      }

      /** Returns the value built. */
      public Status build() {
        return new Status(active, lastScheduleTime);
      }
    }

    private static final class Codec implements JsonCodec<Status> {

      private static final FieldNames FIELDS = FieldNames.of("active", "lastScheduleTime");

      @Override
      public Status read(JsonReader in) {
        Integer active = null;
        Time lastScheduleTime = null;
        in.beginObject();
        for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
          switch (field) {
            case 0 -> active = in.nextInt();
            case 1 -> lastScheduleTime = Time.CODEC.read(in);
            default -> throw new AssertionError(field);
          }
        }
        return new Status(active, lastScheduleTime);
      }

      @Override
      public void write(JsonWriter out, Status value) {
        out.beginObject();
        out.field("active", value.active);
        out.field("lastScheduleTime", Time.CODEC, value.lastScheduleTime);
        out.endObject();
      }
    }
  }

  /** The values of {@code concurrencyPolicy} in the schema. Others that a server sends are kept. */
  public static final class ConcurrencyPolicy extends OpenEnum {

    /** The value {@code Allow}. */
    public static final ConcurrencyPolicy ALLOW = new ConcurrencyPolicy("Allow");

    /** The value {@code Forbid}. */
    public static final ConcurrencyPolicy FORBID = new ConcurrencyPolicy("Forbid");

    /** The value {@code Replace}. */
    public static final ConcurrencyPolicy REPLACE = new ConcurrencyPolicy("Replace");

    /** Reads and writes this type. */
    public static final JsonCodec<ConcurrencyPolicy> CODEC = codec(ConcurrencyPolicy::of);

    private ConcurrencyPolicy(String value) {
      super(value);
    }

    /** Returns the constant of a known value, or a new object for another. */
    public static ConcurrencyPolicy of(String value) {
      return switch (value) {
        case "Allow" -> ALLOW;
        case "Forbid" -> FORBID;
        case "Replace" -> REPLACE;
        default -> new ConcurrencyPolicy(value);
      };
    }
  }

  /** One environment variable. */
  public record Env(@Nullable String name, @Nullable String value) {

    /** Reads and writes this type. */
    public static final JsonCodec<Env> CODEC = new Codec();

    /** Returns a builder in which nothing is set. */
    public static Builder builder() {
      return new Builder();
    }

    /** Returns a new value, whose fields {@code fill} sets. */
    public static Env of(Consumer<Builder> fill) {
      Builder builder = new Builder();
      fill.accept(builder);
      return builder.build();
    }

    /** Returns a copy of this value with the changes that {@code edit} makes. */
    public Env with(Consumer<Builder> edit) {
      Builder builder = toBuilder();
      edit.accept(builder);
      return builder.build();
    }

    /** Returns a builder that starts with this value. */
    public Builder toBuilder() {
      return new Builder(this);
    }

    /** Builds a {@link Env}. Not safe for use by many threads. */
    public static final class Builder {

      private @Nullable String name;
      private @Nullable String value;

      private Builder() {}

      private Builder(Env value) {
        this.name = value.name;
        this.value = value.value;
      }

      /** Sets {@code name}. */
      public Builder name(@Nullable String name) {
        this.name = name;
        return this;
      }

      /** Sets {@code value}. */
      public Builder value(@Nullable String value) {
        this.value = value;
        return this;
      }

      /** Returns the value built. */
      public Env build() {
        return new Env(name, value);
      }
    }

    private static final class Codec implements JsonCodec<Env> {

      private static final FieldNames FIELDS = FieldNames.of("name", "value");

      @Override
      public Env read(JsonReader in) {
        String name = null;
        String value = null;
        in.beginObject();
        for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
          switch (field) {
            case 0 -> name = in.nextString();
            case 1 -> value = in.nextString();
            default -> throw new AssertionError(field);
          }
        }
        return new Env(name, value);
      }

      @Override
      public void write(JsonWriter out, Env value) {
        out.beginObject();
        out.field("name", value.name);
        out.field("value", value.value);
        out.endObject();
      }
    }
  }

  /** Builds a {@link CronTab}. Not safe for use by many threads. */
  public static final class Builder {

    private @Nullable ObjectMeta metadata;
    private @Nullable Spec spec;
    private @Nullable Status status;

    private Builder() {}

    private Builder(CronTab value) {
      this.metadata = value.metadata;
      this.spec = value.spec;
      this.status = value.status;
    }

    /** Sets {@code metadata}. */
    public Builder metadata(@Nullable ObjectMeta metadata) {
      this.metadata = metadata;
      return this;
    }

    /** Edits {@code metadata}, which begins empty if absent. */
    public Builder editMetadata(Consumer<ObjectMeta.Builder> edit) {
      ObjectMeta.Builder builder =
          this.metadata == null ? ObjectMeta.builder() : this.metadata.toBuilder();
      edit.accept(builder);
      this.metadata = builder.build();
      return this;
    }

    /** Sets {@code spec}. */
    public Builder spec(@Nullable Spec spec) {
      this.spec = spec;
      return this;
    }

    /** Edits {@code spec}, which begins empty if absent. */
    public Builder editSpec(Consumer<Spec.Builder> edit) {
      Spec.Builder builder = this.spec == null ? Spec.builder() : this.spec.toBuilder();
      edit.accept(builder);
      this.spec = builder.build();
      return this;
    }

    /** Sets {@code status}. */
    public Builder status(@Nullable Status status) {
      this.status = status;
      return this;
    }

    /** Edits {@code status}, which begins empty if absent. */
    public Builder editStatus(Consumer<Status.Builder> edit) {
      Status.Builder builder = this.status == null ? Status.builder() : this.status.toBuilder();
      edit.accept(builder);
      this.status = builder.build();
      return this;
    }

    /** Returns the value built. */
    public CronTab build() {
      return new CronTab(metadata, spec, status);
    }
  }

  private static final class Codec implements JsonCodec<CronTab> {

    private static final FieldNames FIELDS =
        FieldNames.of("apiVersion", "kind", "metadata", "spec", "status");

    @Override
    public CronTab read(JsonReader in) {
      ObjectMeta metadata = null;
      Spec spec = null;
      Status status = null;
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> TypeMeta.expectApiVersion(in, "stable.example.com/v1");
          case 1 -> TypeMeta.expectKind(in, "CronTab");
          case 2 -> metadata = ObjectMeta.CODEC.read(in);
          case 3 -> spec = in.nextValue(Spec.CODEC);
          case 4 -> status = in.nextValue(Status.CODEC);
          default -> throw new AssertionError(field);
        }
      }
      return new CronTab(metadata, spec, status);
    }

    @Override
    public void write(JsonWriter out, CronTab value) {
      out.beginObject();
      out.field("apiVersion", value.apiVersion());
      out.field("kind", value.kind());
      out.field("metadata", ObjectMeta.CODEC, value.metadata);
      out.field("spec", Spec.CODEC, value.spec);
      out.field("status", Status.CODEC, value.status);
      out.endObject();
    }
  }
}
