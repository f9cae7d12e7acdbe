package dev.clientgo.controller.webhook;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.controller.webhook.AdmissionRequest.Operation;
import dev.clientgo.kubernetes.authentication.v1.UserInfo;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The field {@code request} of an AdmissionReview, with its objects as they were sent. */
record ReviewRequest(
    String uid,
    Operation operation,
    GroupVersionKind kind,
    GroupVersionResource resource,
    String subresource,
    GroupVersionKind requestKind,
    GroupVersionResource requestResource,
    String name,
    String namespace,
    UserInfo user,
    boolean dryRun,
    @Nullable RawJson object,
    @Nullable RawJson oldObject,
    @Nullable RawJson options) {

  private static final FieldNames FIELDS =
      FieldNames.of(
          "uid",
          "operation",
          "kind",
          "resource",
          "subResource",
          "requestKind",
          "requestResource",
          "name",
          "namespace",
          "userInfo",
          "dryRun",
          "object",
          "oldObject",
          "options");

  private static final FieldNames TYPE = FieldNames.of("group", "version", "kind", "resource");

  /** Returns a request that no server has sent. */
  static ReviewRequest of(
      Operation operation,
      KubernetesObject subject,
      @Nullable RawJson object,
      @Nullable RawJson oldObject) {
    GroupVersionKind kind =
        GroupVersionKind.fromApiVersionAndKind(subject.apiVersion(), subject.kind());
    String plural = kind.kind().toLowerCase(Locale.ROOT) + "s";
    GroupVersionResource resource = kind.groupVersion().withResource(plural);
    String name = subject.metadata().name();
    String namespace = subject.metadata().namespace();
    return new ReviewRequest(
        "00000000-0000-0000-0000-000000000000",
        operation,
        kind,
        resource,
        "",
        kind,
        resource,
        name == null ? "" : name,
        namespace == null ? "" : namespace,
        UserInfo.EMPTY,
        false,
        object,
        oldObject,
        null);
  }

  /**
   * Reads a request.
   *
   * @throws CodecException if it is not one; the message names the field
   */
  static ReviewRequest read(JsonReader in) {
    String uid = "";
    Operation operation = null;
    Type kind = Type.NONE;
    Type resource = Type.NONE;
    Type requestKind = null;
    Type requestResource = null;
    String subresource = "";
    String name = "";
    String namespace = "";
    UserInfo user = UserInfo.EMPTY;
    boolean dryRun = false;
    RawJson object = null;
    RawJson oldObject = null;
    RawJson options = null;
    in.beginObject();
    for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
      switch (field) {
        case 0 -> uid = in.nextString();
        case 1 -> operation = operation(in);
        case 2 -> kind = Type.read(in);
        case 3 -> resource = Type.read(in);
        case 4 -> subresource = in.nextString();
        case 5 -> requestKind = Type.read(in);
        case 6 -> requestResource = Type.read(in);
        case 7 -> name = in.nextString();
        case 8 -> namespace = in.nextString();
        case 9 -> user = UserInfo.CODEC.read(in);
        case 10 -> dryRun = in.nextBoolean();
        case 11 -> object = in.nextRaw();
        case 12 -> oldObject = in.nextRaw();
        case 13 -> options = in.nextRaw();
        default -> throw new AssertionError(field);
      }
    }
    if (operation == null) {
      throw in.mismatch("the request has no operation");
    }
    return new ReviewRequest(
        uid,
        operation,
        kind.asKind(),
        resource.asResource(),
        subresource,
        (requestKind == null ? kind : requestKind).asKind(),
        (requestResource == null ? resource : requestResource).asResource(),
        name,
        namespace,
        user,
        dryRun,
        object,
        oldObject,
        options);
  }

  private static Operation operation(JsonReader in) {
    String name = in.nextString();
    try {
      return Operation.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw in.mismatch("unknown operation " + name);
    }
  }

  /** A GroupVersionKind or a GroupVersionResource, with the name of either. */
  private record Type(String group, String version, String name) {

    static final Type NONE = new Type("", "", "");

    static Type read(JsonReader in) {
      String group = "";
      String version = "";
      String name = "";
      in.beginObject();
      for (int field; (field = in.nextField(TYPE)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> group = in.nextString();
          case 1 -> version = in.nextString();
          default -> name = in.nextString();
        }
      }
      return new Type(group, version, name);
    }

    GroupVersionKind asKind() {
      return new GroupVersionKind(group, version, name);
    }

    GroupVersionResource asResource() {
      return new GroupVersionResource(group, version, name);
    }
  }
}
