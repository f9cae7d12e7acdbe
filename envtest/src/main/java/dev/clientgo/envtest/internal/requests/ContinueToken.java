package dev.clientgo.envtest.internal.requests;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;

/**
 * The position after a page of a list, encoded as kube-apiserver does.
 *
 * @param revision the revision of all pages, or -1 for the current one
 * @param startKey the key where the next page starts, without the namespace
 */
public record ContinueToken(long revision, String startKey) {

  private static final String API_VERSION = "meta.k8s.io/v1";

  /** Returns the token for the page after a key. */
  public static ContinueToken after(String key, long revision) {
    return new ContinueToken(revision, key + "\0");
  }

  /**
   * Parses a token.
   *
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if it is invalid
   */
  public static ContinueToken parse(String text) {
    Map<String, Object> token;
    try {
      token = JsonTree.asObject(JsonText.parse(Base64.getUrlDecoder().decode(text)));
    } catch (IllegalArgumentException | CodecException e) {
      throw invalid("continue key is not valid: " + e.getMessage());
    }
    if (!JsonTree.string(token, "v").equals(API_VERSION)) {
      throw invalid(
          "continue key is not valid: server does not recognize this encoded version "
              + JsonTree.string(token, "v"));
    }
    Long revision = JsonTree.number(token, "rv");
    String start = JsonTree.string(token, "start");
    if (revision == null || revision == 0) {
      throw invalid(
          "continue key is not valid: incorrect encoded start resourceVersion (version"
              + " meta.k8s.io/v1)");
    }
    if (start.isEmpty()) {
      throw invalid("continue key is not valid: encoded start key empty (version meta.k8s.io/v1)");
    }
    if (Arrays.asList(start.split("/", -1)).contains("..")) {
      throw invalid("continue key is not valid: " + start);
    }
    return new ContinueToken(revision, start.startsWith("/") ? start.substring(1) : start);
  }

  private static RuntimeException invalid(String problem) {
    return ApiStatusException.badRequest("invalid continue token: " + problem);
  }

  /** Returns the encoded token. */
  @Override
  public String toString() {
    byte[] json =
        JsonText.write(JsonTree.of("v", API_VERSION, "rv", revision, "start", "/" + startKey));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(json);
  }
}
