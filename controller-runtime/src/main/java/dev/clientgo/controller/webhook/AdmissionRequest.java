package dev.clientgo.controller.webhook;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.patch.JsonPatch;
import dev.clientgo.apimachinery.patch.UnknownFields;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.kubernetes.authentication.v1.UserInfo;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request to a server that a webhook admits or denies.
 *
 * <p>Immutable. Corresponds to controller-runtime's {@code admission.Request}.
 *
 * @param <T> the type of the objects
 */
public final class AdmissionRequest<T extends KubernetesObject> {

  /** The operation of a request on an object. */
  public enum Operation {
    /** Creates an object. */
    CREATE,
    /** Changes an object: an update, a patch, or a server-side apply. */
    UPDATE,
    /** Deletes an object; in a collection, the server sends one request for each object. */
    DELETE,
    /** Opens a connection to an object, such as {@code pods/exec}. */
    CONNECT
  }

  private final ReviewRequest review;
  private final JsonCodec<T> codec;
  private final @Nullable T object;
  private final @Nullable T oldObject;

  private AdmissionRequest(
      ReviewRequest review, JsonCodec<T> codec, @Nullable T object, @Nullable T oldObject) {
    this.review = review;
    this.codec = codec;
    this.object = object;
    this.oldObject = oldObject;
  }

  /**
   * Reads the objects of a request.
   *
   * @throws CodecException if an object cannot be read as that type
   */
  static <T extends KubernetesObject> AdmissionRequest<T> of(
      ReviewRequest review, JsonCodec<T> codec) {
    return new AdmissionRequest<>(
        review, codec, read(codec, review.object()), read(codec, review.oldObject()));
  }

  private static <T> @Nullable T read(JsonCodec<T> codec, @Nullable RawJson raw) {
    return raw == null ? null : codec.read(raw.reader());
  }

  /**
   * Returns a request to create an object, for tests of webhooks without a server. It is no dry run
   * and comes from no user.
   */
  public static <T extends KubernetesObject> AdmissionRequest<T> create(
      JsonCodec<T> codec, T object) {
    return of(ReviewRequest.of(Operation.CREATE, object, RawJson.of(codec, object), null), codec);
  }

  /** Returns a request to update an object, for tests of webhooks without a server. */
  public static <T extends KubernetesObject> AdmissionRequest<T> update(
      JsonCodec<T> codec, T oldObject, T object) {
    RawJson old = RawJson.of(codec, oldObject);
    return of(ReviewRequest.of(Operation.UPDATE, object, RawJson.of(codec, object), old), codec);
  }

  /** Returns a request to delete an object, for tests of webhooks without a server. */
  public static <T extends KubernetesObject> AdmissionRequest<T> delete(
      JsonCodec<T> codec, T oldObject) {
    return of(
        ReviewRequest.of(Operation.DELETE, oldObject, null, RawJson.of(codec, oldObject)), codec);
  }

  /** Returns the identity of this call of the webhook. */
  public String uid() {
    return review.uid();
  }

  /** Returns what the request does. */
  public Operation operation() {
    return review.operation();
  }

  /** Returns the object in the request; empty for a deletion. */
  public Optional<T> object() {
    return Optional.ofNullable(object);
  }

  /** Returns the object before the request; empty for a creation. */
  public Optional<T> oldObject() {
    return Optional.ofNullable(oldObject);
  }

  /** Returns the object in the request; for a deletion, the object to be deleted. */
  Optional<T> subject() {
    return operation() == Operation.DELETE ? oldObject() : object();
  }

  /** Returns the name of the object; empty if the server will generate it. */
  public String name() {
    return review.name();
  }

  /** Returns the namespace of the object; empty if it has none. */
  public String namespace() {
    return review.namespace();
  }

  /** Returns the kind of the objects in this request. */
  public GroupVersionKind kind() {
    return review.kind();
  }

  /** Returns the resource of the objects in this request. */
  public GroupVersionResource resource() {
    return review.resource();
  }

  /** Returns the subresource, such as {@code status} or {@code scale}; empty if there is none. */
  public String subresource() {
    return review.subresource();
  }

  /**
   * Returns the kind that the user has sent; it differs from {@link #kind} if the server has
   * converted the object to the version of the webhook's rule.
   */
  public GroupVersionKind requestKind() {
    return review.requestKind();
  }

  /** Returns the resource that the user has named, see {@link #requestKind}. */
  public GroupVersionResource requestResource() {
    return review.requestResource();
  }

  /** Returns the user who has sent the request. */
  public UserInfo user() {
    return review.user();
  }

  /** Returns whether nothing will be stored. Then a webhook must have no side effects. */
  public boolean isDryRun() {
    return review.dryRun();
  }

  /** Returns the options of the request, such as {@code CreateOptions}; empty if there are none. */
  public Optional<RawJson> options() {
    return Optional.ofNullable(review.options());
  }

  /**
   * Returns the answer that turns the object of the request into another. It has only what differs,
   * so fields that the type does not know are kept.
   *
   * @throws IllegalStateException if the request has no object, as a deletion
   */
  public AdmissionResponse changeTo(T changed) {
    requireNonNull(changed, "changed");
    if (object == null || review.object() == null) {
      throw new IllegalStateException("a " + operation() + " has no object that can be changed");
    }
    if (changed == object) {
      return AdmissionResponse.allow();
    }
    Object sent = review.object().reader().nextTree();
    Object wanted = UnknownFields.restore(sent, tree(object), tree(changed));
    return AdmissionResponse.patch(JsonPatch.create(sent, wanted));
  }

  private @Nullable Object tree(T value) {
    return RawJson.of(codec, value).reader().nextTree();
  }

  /** Returns operation, resource, name and user. */
  @Override
  public String toString() {
    String subresource = subresource().isEmpty() ? "" : "/" + subresource();
    return operation()
        + " "
        + resource().groupResource()
        + subresource
        + " "
        + (namespace().isEmpty() ? name() : new ObjectName(namespace(), name()))
        + (isDryRun() ? " dry run" : "")
        + " by "
        + user().username();
  }
}
