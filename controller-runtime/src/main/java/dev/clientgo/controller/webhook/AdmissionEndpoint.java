package dev.clientgo.controller.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.FieldNames;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.Status;
import dev.clientgo.apimachinery.status.StatusReason;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.clock.UncheckedInterruptedException;
import dev.clientgo.controller.internal.webhook.ReviewEndpoint;
import java.io.ByteArrayOutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Answers the AdmissionReviews at the path of one webhook. */
final class AdmissionEndpoint implements ReviewEndpoint {

  private static final Logger LOG =
      System.getLogger("dev.clientgo.controller.webhook.WebhookServer");

  private static final String GROUP = "admission.k8s.io/";

  /** Two objects of at most 3 MiB each, and less than 1 MiB for the rest. */
  private static final int MAX_BODY = 7 << 20;

  private static final FieldNames FIELDS = FieldNames.of("apiVersion", "kind", "request");

  private final Webhook webhook;
  private final Runnable panics;

  /** Creates an instance; {@code panics} counts exceptions of the webhook. */
  AdmissionEndpoint(Webhook webhook, Runnable panics) {
    this.webhook = requireNonNull(webhook, "webhook");
    this.panics = requireNonNull(panics, "panics");
  }

  @Override
  public int maxBody() {
    return MAX_BODY;
  }

  @Override
  public Answer answer(byte[] body) {
    Review review;
    try {
      review = Review.read(body);
    } catch (CodecException e) {
      LOG.log(
          Level.WARNING,
          "Not an AdmissionReview: webhook={0} error={1}",
          webhook.path(),
          CrashLog.text(e));
      return refuse(400, "not an AdmissionReview: " + e.getMessage());
    }
    return new Answer(200, text(review.apiVersion, review.request.uid(), handle(review.request)));
  }

  @Override
  public Answer refuse(int code, String message) {
    String reason = code == 400 ? StatusReason.BAD_REQUEST : StatusReason.UNKNOWN;
    return new Answer(code, text(GROUP + "v1", "", AdmissionResponse.deny(code, reason, message)));
  }

  /** An Error too: a connection that breaks would tell the user nothing. */
  private AdmissionResponse handle(ReviewRequest request) {
    try {
      return requireNonNull(
          webhook.answer(request), "the webhook returned null: return AdmissionResponse.allow()");
    } catch (AdmissionDeniedException e) {
      return e.response();
    } catch (CodecException e) {
      return AdmissionResponse.deny(
          400,
          StatusReason.BAD_REQUEST,
          "the webhook at " + webhook.path() + " cannot read the object: " + e.getMessage());
    } catch (InterruptedException | UncheckedInterruptedException e) {
      return interrupted(request);
    } catch (Throwable e) {
      return failed(request, e);
    }
  }

  private AdmissionResponse interrupted(ReviewRequest request) {
    LOG.log(
        Level.WARNING,
        "A webhook was interrupted, its time was over: webhook={0} request={1}",
        webhook.path(),
        describe(request));
    return AdmissionResponse.deny(
        504, StatusReason.TIMEOUT, "the webhook did not answer within the time of the request");
  }

  private AdmissionResponse failed(ReviewRequest request, Throwable error) {
    if (error instanceof ApiStatusException status) {
      LOG.log(
          Level.DEBUG,
          () -> "A webhook denied with a status: " + webhook.path() + " " + describe(request),
          error);
      return AdmissionResponse.deny(status.status());
    }
    panics.run();
    CrashLog.log(
        LOG,
        Level.WARNING,
        "A webhook failed: webhook=" + webhook.path() + " request=" + describe(request),
        error);
    return AdmissionResponse.deny(
        500, StatusReason.INTERNAL_ERROR, "the webhook failed: " + CrashLog.text(error));
  }

  private static String describe(ReviewRequest request) {
    return CrashLog.line(
        String.format(
            "%s %s %s/%s by %s uid=%s",
            request.operation(),
            request.resource(),
            request.namespace(),
            request.name(),
            request.user().username(),
            request.uid()));
  }

  // ---- the answer

  private static String text(String apiVersion, String uid, AdmissionResponse response) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    JsonWriter out = JsonWriter.to(bytes);
    out.beginObject();
    out.field("kind", "AdmissionReview");
    out.field("apiVersion", apiVersion);
    out.name("response");
    out.beginObject();
    out.field("uid", uid);
    out.field("allowed", response.isAllowed());
    out.field("status", Status.CODEC, response.status());
    response.patch().ifPresent(patch -> writePatch(out, Patch.json(patch).body()));
    if (!response.auditAnnotations().isEmpty()) {
      out.stringMapField("auditAnnotations", response.auditAnnotations());
    }
    if (!response.warnings().isEmpty()) {
      out.stringListField("warnings", response.warnings());
    }
    out.endObject();
    out.endObject();
    out.flush();
    return bytes.toString(UTF_8);
  }

  private static void writePatch(JsonWriter out, RawJson patch) {
    out.field("patch", Base64.getEncoder().encodeToString(patch.toByteArray()));
    out.field("patchType", "JSONPatch");
  }

  /** A review as a server sends it. */
  private record Review(String apiVersion, ReviewRequest request) {

    static Review read(byte[] body) {
      JsonReader in = JsonReader.of(body);
      String apiVersion = "";
      String kind = "";
      @Nullable ReviewRequest request = null;
      in.beginObject();
      for (int field; (field = in.nextField(FIELDS)) != JsonReader.END; ) {
        switch (field) {
          case 0 -> apiVersion = in.nextString();
          case 1 -> kind = in.nextString();
          default -> request = ReviewRequest.read(in);
        }
      }
      if (!kind.equals("AdmissionReview")
          || !(apiVersion.equals(GROUP + "v1") || apiVersion.equals(GROUP + "v1beta1"))) {
        throw in.mismatch(
            "expected AdmissionReview of admission.k8s.io/v1, found " + kind + " of " + apiVersion);
      }
      if (request == null) {
        throw in.mismatch("the review has no request");
      }
      return new Review(apiVersion, request);
    }
  }
}
