package dev.clientgo.controller.webhook;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.clientgo.apimachinery.json.JsonCodecs;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.patch.JsonPatch;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.certificates.TrustedAuthorities;
import dev.clientgo.rest.config.PemSource;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** Calls webhooks as an API server does. */
final class WebhookCaller {

  private final HttpClient http;
  private final WebhookServer server;

  /** Creates a caller that trusts an authority; it has a certificate if a key manager is given. */
  WebhookCaller(WebhookServer server, String caBundle, KeyManager... identity) {
    this.server = server;
    try {
      SSLContext tls = SSLContext.getInstance("TLS");
      PemSource authority = new PemSource.Data(caBundle.getBytes(US_ASCII));
      tls.init(identity, new TrustManager[] {TrustedAuthorities.read(authority)}, null);
      http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(tls).build();
    } catch (java.security.GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** An answer. */
  record Reply(HttpResponse<String> http) {

    int code() {
      return http.statusCode();
    }

    /** Returns a value in the body, as text. */
    String at(String... path) {
      return Unstructured.parse(http.body()).nested(path).map(Object::toString).orElse("");
    }

    JsonPatch patch() {
      byte[] json = Base64.getDecoder().decode(at("response", "patch"));
      return JsonPatch.of(JsonReader.fromBytes(JsonCodecs.TREE, json));
    }

    X509Certificate certificate() {
      try {
        return (X509Certificate) http.sslSession().orElseThrow().getPeerCertificates()[0];
      } catch (javax.net.ssl.SSLPeerUnverifiedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  HttpRequest.Builder request(String pathAndQuery) {
    URI uri = URI.create("https://127.0.0.1:" + server.address().getPort() + pathAndQuery);
    return HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(60));
  }

  Reply send(HttpRequest.Builder request) throws Exception {
    return new Reply(http.send(request.build(), HttpResponse.BodyHandlers.ofString()));
  }

  /** Posts JSON, in which ' stands for ". */
  Reply post(String pathAndQuery, String json) throws Exception {
    return send(
        request(pathAndQuery)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json.replace('\'', '"'))));
  }

  /** Returns a review of the creation of a ConfigMap with this data. */
  static String review(String apiVersion, Map<String, Object> data) {
    RawJson json = RawJson.of(JsonCodecs.TREE, data);
    return """
        {'kind':'AdmissionReview','apiVersion':'%s','request':{
          'uid':'705ab4f5','kind':{'group':'','version':'v1','kind':'ConfigMap'},
          'resource':{'group':'','version':'v1','resource':'configmaps'},
          'requestKind':{'group':'','version':'v1','kind':'ConfigMap'},
          'requestResource':{'group':'','version':'v1','resource':'configmaps'},
          'name':'settings','namespace':'shop','operation':'CREATE','dryRun':true,
          'userInfo':{'username':'ada','uid':'7','groups':['staff'],'extra':{'k':['v']}},
          'object':{'kind':'ConfigMap','apiVersion':'v1','novel':{'field':1},
            'metadata':{'name':'settings','namespace':'shop','creationTimestamp':null},
            'data':%s},
          'oldObject':null,
          'options':{'kind':'CreateOptions','apiVersion':'meta.k8s.io/v1'}}}
        """
        .formatted(apiVersion, json);
  }

  static String review(Map<String, Object> data) {
    return review("admission.k8s.io/v1", data);
  }
}
