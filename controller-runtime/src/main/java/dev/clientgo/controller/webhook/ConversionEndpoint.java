package dev.clientgo.controller.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.controller.internal.webhook.ReviewEndpoint;
import java.io.ByteArrayOutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Answers ConversionReviews. Either all objects of a review are converted, or none. */
final class ConversionEndpoint implements ReviewEndpoint {

  private static final Logger LOG =
      System.getLogger("dev.clientgo.controller.webhook.WebhookServer");

  private static final String GROUP = "apiextensions.k8s.io/";

  private static final int MAX_BODY = 64 << 20;

  private static final FieldNames REVIEW = FieldNames.of("apiVersion", "kind", "request");
  private static final FieldNames REQUEST = FieldNames.of("uid", "desiredAPIVersion", "objects");

  private final Map<GroupKind, Conversion> conversions;
  private final Runnable panics;

  /** Creates an instance; {@code panics} counts exceptions of conversions. */
  ConversionEndpoint(Map<GroupKind, Conversion> conversions, Runnable panics) {
    this.conversions = Map.copyOf(conversions);
    this.panics = requireNonNull(panics, "panics");
  }

  /** A review may have all objects of a list: some 500, which is how many API servers page. */
  @Override
  public int maxBody() {
    return MAX_BODY;
  }

  @Override
  public Answer answer(byte[] body) {
    Review review;
    try {
      review = Review.read(body);
    } catch (CodecException | IllegalArgumentException e) {
      LOG.log(Level.WARNING, "Not a ConversionReview: error={0}", CrashLog.text(e));
      return refuse(400, "not a ConversionReview: " + e.getMessage());
    }
    List<Unstructured> converted = new ArrayList<>();
    for (Unstructured object : review.objects) {
      try {
        converted.add(convert(object, review.desired));
      } catch (Throwable e) { // An Error too: a connection that breaks would tell nothing.
        return new Answer(200, text(review, List.of(), failed(object, review.desired, e)));
      }
    }
    return new Answer(200, text(review, converted, null));
  }

  @Override
  public Answer refuse(int code, String message) {
    return new Answer(code, message + "\n");
  }

  private String failed(Unstructured object, GroupVersion desired, Throwable error) {
    String failed =
        "converting "
            + object.groupVersionKind().groupVersion()
            + " "
            + object.kind()
            + " "
            + name(object)
            + " to "
            + desired
            + ": ";
    if (error instanceof InterruptedException) {
      LOG.log(
          Level.WARNING, CrashLog.line(failed) + " interrupted, the time of the request was over");
      return failed + "it was not done within the time of the request";
    }
    panics.run();
    CrashLog.log(LOG, Level.WARNING, "A conversion failed: " + CrashLog.line(failed), error);
    return failed + CrashLog.text(error);
  }

  private static String name(Unstructured object) {
    String namespace = object.metadata().namespace();
    return (namespace == null ? "" : namespace + "/") + object.metadata().name();
  }

  private Unstructured convert(Unstructured object, GroupVersion desired) throws Exception {
    if (object.groupVersionKind().groupVersion().equals(desired)) {
      return object;
    }
    Conversion conversion = conversions.get(object.groupVersionKind().groupKind());
    if (conversion == null) {
      throw new IllegalArgumentException(
          "no conversion for " + object.groupVersionKind().groupKind() + " is registered");
    }
    Unstructured converted =
        requireNonNull(
            conversion.converter().convert(object, desired), "the converter returned null");
    if (!converted.groupVersionKind().equals(desired.withKind(object.kind()))) {
      throw new IllegalStateException("the converter returned " + converted.groupVersionKind());
    }
    return converted.withMetadata(metadata(object.metadata(), converted.metadata()));
  }

  /** Takes labels and annotations from the result, and the rest from the object. */
  private static ObjectMeta metadata(ObjectMeta before, ObjectMeta after) {
    if (after.equals(ObjectMeta.EMPTY)) {
      return before;
    }
    requireSame("name", before.name(), after.name());
    requireSame("namespace", before.namespace(), after.namespace());
    requireSame("uid", before.uid(), after.uid());
    return before.with(m -> m.labels(after.labels()).annotations(after.annotations()));
  }

  private static void requireSame(String field, @Nullable String before, @Nullable String after) {
    if (after != null && !Objects.equals(before, after)) {
      throw new IllegalStateException(
          "the converter changed metadata." + field + " from " + before + " to " + after);
    }
  }

  // ---- the review

  private static String text(Review review, List<Unstructured> converted, @Nullable String error) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    JsonWriter out = JsonWriter.to(bytes);
    out.beginObject();
    out.field("kind", "ConversionReview");
    out.field("apiVersion", review.apiVersion);
    out.name("response");
    out.beginObject();
    out.field("uid", review.uid);
    out.name("convertedObjects");
    out.beginArray();
    converted.forEach(object -> Unstructured.CODEC.write(out, object));
    out.endArray();
    out.name("result");
    out.beginObject();
    out.field("status", error == null ? "Success" : "Failure");
    out.field("message", error);
    out.endObject();
    out.endObject();
    out.endObject();
    out.flush();
    return bytes.toString(UTF_8);
  }

  /** A review as a server sends it. */
  private record Review(
      String apiVersion, String uid, GroupVersion desired, List<Unstructured> objects) {

    static Review read(byte[] body) {
      JsonReader in = JsonReader.of(body);
      String apiVersion = "";
      String kind = "";
      @Nullable Review request = null;
      in.beginObject();
      for (int field; (field = in.nextField(REVIEW)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> apiVersion = in.nextString();
          case 1 -> kind = in.nextString();
          default -> request = readRequest(in);
        }
      }
      if (!kind.equals("ConversionReview")
          || !(apiVersion.equals(GROUP + "v1") || apiVersion.equals(GROUP + "v1beta1"))) {
        throw in.mismatch(
            "expected ConversionReview of apiextensions.k8s.io/v1, found "
                + kind
                + " of "
                + apiVersion);
      }
      if (request == null) {
        throw in.mismatch("the review has no request");
      }
      return new Review(apiVersion, request.uid, request.desired, request.objects);
    }

    private static Review readRequest(JsonReader in) {
      String uid = "";
      GroupVersion desired = null;
      List<Unstructured> objects = List.of();
      in.beginObject();
      for (int field; (field = in.nextField(REQUEST)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> uid = in.nextString();
          case 1 -> desired = GroupVersion.parse(in.nextString());
          default -> objects = in.nextList(Unstructured.CODEC);
        }
      }
      if (desired == null) {
        throw in.mismatch("the request has no desiredAPIVersion");
      }
      return new Review("", uid, desired, objects);
    }
  }
}
