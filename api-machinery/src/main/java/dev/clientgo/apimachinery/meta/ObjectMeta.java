package dev.clientgo.apimachinery.meta;

import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.Immutable;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.Projection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of a stored object: its name, version, labels and owners.
 *
 * <p>Absent fields are null, but absent lists and maps are empty to a reader. Immutable.
 * Corresponds to client-go's {@code metav1.ObjectMeta}.
 *
 * @param name The name, unique among the objects of its kind in its namespace
 * @param generateName The prefix of the name that the server generates if there is none
 * @param namespace The namespace, absent for cluster-scoped objects
 * @param selfLink A legacy field that servers no longer set
 * @param uid The unique identity: a later object of the same name has another
 * @param resourceVersion The version of this state: opaque, except that it can be compared for
 *     equality
 * @param generation The sequence number of the desired state
 * @param creationTimestamp When the object was created
 * @param deletionTimestamp When the object will be deleted, or when its deletion was requested
 * @param deletionGracePeriodSeconds How many seconds the object may take to terminate
 * @param labels The labels, by which objects are selected
 * @param annotations The annotations, for tools and people
 * @param ownerReferences The owners
 * @param finalizers The controllers that must still act before the object is deleted
 * @param managedFields The managers of the fields
 * @param projection The projection with which the object was read, null if it was read whole. It is
 *     not part of the JSON; it marks objects that lack fields, so that no client writes them
 */
public record ObjectMeta(
    @Nullable String name,
    @Nullable String generateName,
    @Nullable String namespace,
    @Nullable String selfLink,
    @Nullable String uid,
    @Nullable String resourceVersion,
    @Nullable Long generation,
    @Nullable Time creationTimestamp,
    @Nullable Time deletionTimestamp,
    @Nullable Long deletionGracePeriodSeconds,
    @Nullable Map<String, String> labels,
    @Nullable Map<String, String> annotations,
    @Nullable List<OwnerReference> ownerReferences,
    @Nullable List<String> finalizers,
    @Nullable List<ManagedFieldsEntry> managedFields,
    @Nullable Projection projection) {

  /**
   * Metadata in which nothing is set. An accessor returns this instance for absent metadata, and a
   * constructor or builder that gets this instance keeps the metadata absent.
   */
  public static final ObjectMeta EMPTY = builder().build();

  /** Reads and writes this type. */
  public static final JsonCodec<ObjectMeta> CODEC = new Codec();

  public ObjectMeta {
    labels = Immutable.map(labels);
    annotations = Immutable.map(annotations);
    ownerReferences = Immutable.list(ownerReferences);
    finalizers = Immutable.list(finalizers);
    managedFields = Immutable.list(managedFields);
  }

  /** Returns the labels; never null, empty if absent. */
  @Override
  public Map<String, String> labels() {
    return Immutable.orEmpty(labels);
  }

  /** Returns the annotations; never null, empty if absent. */
  @Override
  public Map<String, String> annotations() {
    return Immutable.orEmpty(annotations);
  }

  /** Returns the owners; never null, empty if absent. */
  @Override
  public List<OwnerReference> ownerReferences() {
    return Immutable.orEmpty(ownerReferences);
  }

  /** Returns the finalizers; never null, empty if absent. */
  @Override
  public List<String> finalizers() {
    return Immutable.orEmpty(finalizers);
  }

  /** Returns the managers of the fields; never null, empty if absent. */
  @Override
  public List<ManagedFieldsEntry> managedFields() {
    return Immutable.orEmpty(managedFields);
  }

  /** Returns a builder in which nothing is set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a new value, whose fields {@code fill} sets. */
  public static ObjectMeta of(Consumer<Builder> fill) {
    return Edits.apply(builder(), fill).build();
  }

  /**
   * Returns a copy of this value with the changes that {@code edit} makes.
   *
   * <pre>{@code
   * metadata.with(m -> m.editLabels(labels -> labels.put("tier", "front")).generation(null));
   * }</pre>
   */
  public ObjectMeta with(Consumer<Builder> edit) {
    return Edits.apply(toBuilder(), edit).build();
  }

  /** Returns the value of a label, if the object has it. */
  public Optional<String> label(String key) {
    return Optional.ofNullable(labels().get(key));
  }

  /** Returns the value of an annotation, if the object has it. */
  public Optional<String> annotation(String key) {
    return Optional.ofNullable(annotations().get(key));
  }

  /** Returns whether the object is being deleted, and only its finalizers keep it. */
  public boolean isBeingDeleted() {
    return deletionTimestamp != null;
  }

  /** Returns whether the object has this finalizer. */
  public boolean hasFinalizer(String finalizer) {
    return finalizers().contains(finalizer);
  }

  /** Returns the owner that manages the object, if there is one. */
  public Optional<OwnerReference> controller() {
    return ownerReferences().stream().filter(OwnerReference::isController).findFirst();
  }

  /**
   * Checks that the object can be written back to a server.
   *
   * @throws IllegalArgumentException if it was read with a {@linkplain #projection projection} that
   *     left out more than the managed fields, since the server would delete what is missing
   */
  public void requireWritable() {
    if (projection != null && !projection.isWritable()) {
      throw new IllegalArgumentException(
          "cannot write "
              + (namespace == null ? "" : namespace + "/")
              + name
              + ": it was read with "
              + projection
              + ", and the server would delete the fields that it lacks. Read the whole object from"
              + " the server first, as edit(name, change) of a client does, or send a patch");
    }
  }

  /**
   * Checks that the managed fields have been read, if the object has any.
   *
   * @throws IllegalArgumentException if it was read with a {@linkplain #projection projection} that
   *     left them out
   */
  public void requireManagedFields() {
    if (projection != null && projection.dropsManagedFields()) {
      throw new IllegalArgumentException(
          "the managed fields of "
              + (namespace == null ? "" : namespace + "/")
              + name
              + " are not known: it was read with "
              + projection
              + ". Read the whole object from the server first");
    }
  }

  /** Returns a builder that starts with this value. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.name = name;
    builder.generateName = generateName;
    builder.namespace = namespace;
    builder.selfLink = selfLink;
    builder.uid = uid;
    builder.resourceVersion = resourceVersion;
    builder.generation = generation;
    builder.creationTimestamp = creationTimestamp;
    builder.deletionTimestamp = deletionTimestamp;
    builder.deletionGracePeriodSeconds = deletionGracePeriodSeconds;
    builder.labels = labels;
    builder.annotations = annotations;
    builder.ownerReferences = ownerReferences;
    builder.finalizers = finalizers;
    builder.managedFields = managedFields;
    builder.projection = projection;
    return builder;
  }

  /** Builds a {@link ObjectMeta}. Not safe for use by many threads. */
  public static final class Builder {
    private @Nullable String name;
    private @Nullable String generateName;
    private @Nullable String namespace;
    private @Nullable String selfLink;
    private @Nullable String uid;
    private @Nullable String resourceVersion;
    private @Nullable Long generation;
    private @Nullable Time creationTimestamp;
    private @Nullable Time deletionTimestamp;
    private @Nullable Long deletionGracePeriodSeconds;
    private @Nullable Map<String, String> labels;
    private @Nullable Map<String, String> annotations;
    private @Nullable List<OwnerReference> ownerReferences;
    private @Nullable List<String> finalizers;
    private @Nullable List<ManagedFieldsEntry> managedFields;
    private @Nullable Projection projection;

    private Builder() {}

    /** Sets the name, unique among the objects of its kind in its namespace. */
    public Builder name(@Nullable String name) {
      this.name = name;
      return this;
    }

    /** Sets the prefix of the name that the server generates if there is none. */
    public Builder generateName(@Nullable String generateName) {
      this.generateName = generateName;
      return this;
    }

    /** Sets the namespace, absent for cluster-scoped objects. */
    public Builder namespace(@Nullable String namespace) {
      this.namespace = namespace;
      return this;
    }

    /** Sets a legacy field that servers no longer set. */
    public Builder selfLink(@Nullable String selfLink) {
      this.selfLink = selfLink;
      return this;
    }

    /** Sets the unique identity: a later object of the same name has another. */
    public Builder uid(@Nullable String uid) {
      this.uid = uid;
      return this;
    }

    /** Sets the version of this state. */
    public Builder resourceVersion(@Nullable String resourceVersion) {
      this.resourceVersion = resourceVersion;
      return this;
    }

    /** Sets the sequence number of the desired state. */
    public Builder generation(@Nullable Long generation) {
      this.generation = generation;
      return this;
    }

    /** Sets when the object was created. */
    public Builder creationTimestamp(@Nullable Time creationTimestamp) {
      this.creationTimestamp = creationTimestamp;
      return this;
    }

    /** Sets when the object will be deleted, or when its deletion was requested. */
    public Builder deletionTimestamp(@Nullable Time deletionTimestamp) {
      this.deletionTimestamp = deletionTimestamp;
      return this;
    }

    /** Sets how many seconds the object may take to terminate. */
    public Builder deletionGracePeriodSeconds(@Nullable Long deletionGracePeriodSeconds) {
      this.deletionGracePeriodSeconds = deletionGracePeriodSeconds;
      return this;
    }

    /** Sets the labels, by which objects are selected. */
    public Builder labels(@Nullable Map<String, String> labels) {
      this.labels = labels;
      return this;
    }

    /** Edits the labels, which begin empty if absent. */
    public Builder editLabels(Consumer<Map<String, String>> edit) {
      this.labels = Edits.map(this.labels, edit);
      return this;
    }

    /** Sets the annotations, for tools and people. */
    public Builder annotations(@Nullable Map<String, String> annotations) {
      this.annotations = annotations;
      return this;
    }

    /** Edits the annotations, which begin empty if absent. */
    public Builder editAnnotations(Consumer<Map<String, String>> edit) {
      this.annotations = Edits.map(this.annotations, edit);
      return this;
    }

    /** Sets the owners. */
    public Builder ownerReferences(@Nullable List<OwnerReference> ownerReferences) {
      this.ownerReferences = ownerReferences;
      return this;
    }

    /** Adds an owner, whose fields {@code fill} sets. */
    public Builder addOwnerReferences(Consumer<OwnerReference.Builder> fill) {
      this.ownerReferences = Edits.add(this.ownerReferences, OwnerReference.of(fill));
      return this;
    }

    /** Edits the owners, which begin empty if absent. */
    public Builder editOwnerReferences(Consumer<List<OwnerReference>> edit) {
      this.ownerReferences = Edits.list(this.ownerReferences, edit);
      return this;
    }

    /** Sets the finalizers. */
    public Builder finalizers(@Nullable List<String> finalizers) {
      this.finalizers = finalizers;
      return this;
    }

    /** Edits the finalizers, which begin empty if absent. */
    public Builder editFinalizers(Consumer<List<String>> edit) {
      this.finalizers = Edits.list(this.finalizers, edit);
      return this;
    }

    /** Sets the managers of the fields. */
    public Builder managedFields(@Nullable List<ManagedFieldsEntry> managedFields) {
      this.managedFields = managedFields;
      return this;
    }

    /**
     * Sets the projection with which the object was read; null, the default, for a whole object.
     * Readers set it. A program that has added all fields that were missing may remove it.
     */
    public Builder projection(@Nullable Projection projection) {
      this.projection = projection;
      return this;
    }

    /** Returns the value built. */
    public ObjectMeta build() {
      return new ObjectMeta(
          name,
          generateName,
          namespace,
          selfLink,
          uid,
          resourceVersion,
          generation,
          creationTimestamp,
          deletionTimestamp,
          deletionGracePeriodSeconds,
          labels,
          annotations,
          ownerReferences,
          finalizers,
          managedFields,
          projection);
    }
  }

  private static final class Codec implements JsonCodec<ObjectMeta> {

    private static final FieldNames FIELDS =
        FieldNames.of(
                "name",
                "generateName",
                "namespace",
                "selfLink",
                "uid",
                "resourceVersion",
                "generation",
                "creationTimestamp",
                "deletionTimestamp",
                "deletionGracePeriodSeconds",
                "labels",
                "annotations",
                "ownerReferences",
                "finalizers",
                "managedFields")
            .protobuf("1z 2z 3z 4z 5z 6z 7z 8t 9t 10 11 12 13 14 17");

    @Override
    public ObjectMeta read(JsonReader in) {
      String name = null;
      String generateName = null;
      String namespace = null;
      String selfLink = null;
      String uid = null;
      String resourceVersion = null;
      Long generation = null;
      Time creationTimestamp = null;
      Time deletionTimestamp = null;
      Long deletionGracePeriodSeconds = null;
      Map<String, String> labels = null;
      Map<String, String> annotations = null;
      List<OwnerReference> ownerReferences = null;
      List<String> finalizers = null;
      List<ManagedFieldsEntry> managedFields = null;
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> name = in.nextString();
          case 1 -> generateName = in.nextString();
          case 2 -> namespace = in.nextString();
          case 3 -> selfLink = in.nextString();
          case 4 -> uid = in.nextString();
          case 5 -> resourceVersion = in.nextString();
          case 6 -> generation = in.nextLong();
          case 7 -> creationTimestamp = Time.CODEC.read(in);
          case 8 -> deletionTimestamp = Time.CODEC.read(in);
          case 9 -> deletionGracePeriodSeconds = in.nextLong();
          case 10 -> labels = in.nextStringMap();
          case 11 -> annotations = in.nextStringMap();
          case 12 -> ownerReferences = in.nextList(OwnerReference.CODEC);
          case 13 -> finalizers = in.nextStringList();
          case 14 -> managedFields = in.nextList(ManagedFieldsEntry.CODEC);
          default -> throw new AssertionError(field);
        }
      }
      return new ObjectMeta(
          name,
          generateName,
          namespace,
          selfLink,
          uid,
          resourceVersion,
          generation,
          creationTimestamp,
          deletionTimestamp,
          deletionGracePeriodSeconds,
          labels,
          annotations,
          ownerReferences,
          finalizers,
          managedFields,
          in.projection());
    }

    @Override
    public void write(JsonWriter out, ObjectMeta value) {
      out.beginObject();
      out.field("name", value.name());
      out.field("generateName", value.generateName());
      out.field("namespace", value.namespace());
      out.field("selfLink", value.selfLink());
      out.field("uid", value.uid());
      out.field("resourceVersion", value.resourceVersion());
      out.field("generation", value.generation());
      out.field("creationTimestamp", Time.CODEC, value.creationTimestamp());
      out.field("deletionTimestamp", Time.CODEC, value.deletionTimestamp());
      out.field("deletionGracePeriodSeconds", value.deletionGracePeriodSeconds());
      out.stringMapField("labels", value.labels());
      out.stringMapField("annotations", value.annotations());
      out.listField("ownerReferences", OwnerReference.CODEC, value.ownerReferences());
      out.stringListField("finalizers", value.finalizers());
      out.listField("managedFields", ManagedFieldsEntry.CODEC, value.managedFields());
      out.endObject();
    }
  }
}
