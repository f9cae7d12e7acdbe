package dev.clientgo.envtest.internal.admission;

import static java.nio.charset.StandardCharsets.UTF_8;

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
final class WebhookCalls {

  /**
   * A client for each authority, made for the first call: to load the authorities of the JDK takes
   * longer than the rest of a server's start.
   */
  private final Map<String, OkHttpClient> clients = new ConcurrentHashMap<>();

  /**
   * Sends a review and returns the answer.
   *
   * @throws IOException if there is no answer; the message has the words of kube-apiserver
   */
  Map<String, Object> send(RegisteredWebhook webhook, Map<String, Object> review)
      throws IOException {
    String url = JsonTree.string(webhook.tree(), "clientConfig", "url");
    HttpUrl target = HttpUrl.parse(url);
    if (target == null) {
      throw new IOException(
          "the embedded server calls webhooks by clientConfig.url only: " + webhook.name());
    }
    HttpUrl timed =
        target.newBuilder().addQueryParameter("timeout", webhook.timeoutSeconds() + "s").build();
    Request request =
        new Request.Builder()
            .url(timed)
            .post(RequestBody.create(JsonText.write(review), MediaType.get("application/json")))
            .build();
    OkHttpClient client =
        client(JsonTree.string(webhook.tree(), "clientConfig", "caBundle"))
            .newBuilder()
            .callTimeout(Duration.ofSeconds(webhook.timeoutSeconds()))
            .build();
    try (Response response = client.newCall(request).execute()) {
      byte[] body = response.body().bytes();
      if (!response.isSuccessful()) {
        throw new IOException("status " + response.code() + ": " + new String(body, UTF_8));
      }
      return JsonText.parseObject(body).content();
    } catch (IOException e) {
      throw new IOException("failed to call webhook: Post \"" + timed + "\": " + e.getMessage(), e);
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
