package dev.clientgo.envtest.internal.webhooks;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.rest.certificates.TrustedAuthorities;
import dev.clientgo.rest.config.PemSource;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/** Sends reviews to webhooks. Safe for use by many threads. */
public final class WebhookCalls {

  private static final GroupResource NO_RESOURCE = new GroupResource("", "");

  /**
   * A client for each authority, made for the first call: to load the authorities of the JDK takes
   * longer than the rest of a server's start.
   */
  private final Map<String, OkHttpClient> clients = new ConcurrentHashMap<>();

  /**
   * Sends a review and returns the answer.
   *
   * @param clientConfig where the webhook is, as its registration says
   * @throws IOException if there is no answer
   * @throws dev.clientgo.apimachinery.errors.KubernetesException if the answer is an error, or no
   *     JSON object; all messages have the words of kube-apiserver
   */
  public Map<String, Object> send(
      Map<String, Object> clientConfig, int timeoutSeconds, Map<String, Object> review)
      throws IOException {
    HttpUrl target = HttpUrl.parse(JsonTree.string(clientConfig, "url"));
    if (target == null) {
      throw new IOException("the embedded server calls webhooks by clientConfig.url only");
    }
    HttpUrl timed = target.newBuilder().addQueryParameter("timeout", timeoutSeconds + "s").build();
    Request request =
        new Request.Builder()
            .url(timed)
            .post(RequestBody.create(JsonText.write(review), MediaType.get("application/json")))
            .build();
    OkHttpClient client =
        client(JsonTree.string(clientConfig, "caBundle"))
            .newBuilder()
            .callTimeout(Duration.ofSeconds(timeoutSeconds))
            .build();
    try (Response response = client.newCall(request).execute()) {
      byte[] body = response.body().bytes();
      if (!response.isSuccessful()) {
        throw ApiStatusException.genericServerResponse(
            response.code(), "POST", NO_RESOURCE, "", new String(body, UTF_8), 0, true);
      }
      return JsonText.parseObject(body).content();
    } catch (IOException e) {
      throw new IOException("Post \"" + timed + "\": " + e.getMessage(), e);
    }
  }

  private OkHttpClient client(String caBundle) {
    return clients.computeIfAbsent(
        caBundle, bundle -> bundle.isEmpty() ? new OkHttpClient() : trusting(bundle));
  }

  private static OkHttpClient trusting(String caBundle) {
    X509TrustManager trust =
        TrustedAuthorities.read(new PemSource.Data(Base64.getDecoder().decode(caBundle)));
    try {
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(null, new TrustManager[] {trust}, null);
      return new OkHttpClient.Builder().sslSocketFactory(tls.getSocketFactory(), trust).build();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK cannot speak TLS", e);
    }
  }
}
