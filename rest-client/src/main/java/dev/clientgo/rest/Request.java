package dev.clientgo.rest;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.serializer.NegotiatedSerializer;
import dev.clientgo.apimachinery.serializer.Serializer;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.rest.config.WarningHandler;
import dev.clientgo.rest.internal.http.ClientContext;
import dev.clientgo.rest.internal.http.Endpoint;
import dev.clientgo.rest.internal.http.HttpResponse;
import dev.clientgo.rest.internal.http.RequestContent;
import dev.clientgo.rest.internal.http.RequestHeaders;
import dev.clientgo.rest.internal.http.RequestSender;
import dev.clientgo.rest.internal.http.RequestSender.OnLostConnection;
import dev.clientgo.rest.internal.http.RequestTarget;
import dev.clientgo.rest.internal.http.StatusErrors;
import dev.clientgo.rest.internal.http.StreamWatch;
import dev.clientgo.rest.internal.text.Query;
import java.io.InputStream;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import okhttp3.Headers;
import okhttp3.HttpUrl;

/**
 * Builds one request, its path piece by piece, and sends it.
 *
 * <pre>{@code
 * Pod pod = client.get()
 *     .groupVersion(new GroupVersion("", "v1"))
 *     .namespace("kube-system")
 *     .resource("pods")
 *     .name("etcd-0")
 *     .execute()
 *     .into(Pod.CODEC);
 * }</pre>
 *
 * <p>For objects of a known type {@link ResourceClient} is shorter; this class reaches every path
 * of a server. It can be sent more than once. Not safe for use by many threads.
 *
 * <p>Corresponds to client-go's {@code rest.Request}. Unlike client-go: a wrong argument throws at
 * once, not when the request is sent.
 */
public final class Request {

  /** How often a request is sent again at most by default. */
  public static final int DEFAULT_MAX_RETRIES = 10;

  /** Unlike client-go: the server gets the time to end a watch itself. */
  private static final Duration WATCH_GRACE = Duration.ofSeconds(10);

  private final ClientContext context;
  private final Headers.Builder headers = new Headers.Builder();
  private final Query query = new Query();
  private final RequestTarget target;
  private RequestContent content = RequestContent.NONE;
  private Duration timeout;
  private Duration watchTimeout = Duration.ZERO;
  private int maxRetries = DEFAULT_MAX_RETRIES;
  private WarningHandler warnings;

  Request(ClientContext context, String verb) {
    this.context = context;
    this.target = new RequestTarget(verb, this::sender);
    this.timeout = context.config().timeout();
    this.warnings = context.policies().warnings();
  }

  /** Begins a request for the objects of an endpoint. */
  Request(Endpoint endpoint, String verb) {
    this(endpoint.context(), verb);
    groupVersion(endpoint.resource().groupVersion()).resource(endpoint.resource().resource());
    if (endpoint.namespace() != null) {
      namespace(endpoint.namespace());
    }
  }

  /** Sets the group and version: {@code api/v1} or {@code apis/apps/v1}. */
  public Request groupVersion(GroupVersion groupVersion) {
    target.groupVersion(groupVersion);
    return this;
  }

  /** Adds segments before namespace, resource and name. */
  public Request prefix(String... segments) {
    target.prefix(segments);
    return this;
  }

  /** Adds segments after namespace, resource and name. */
  public Request suffix(String... segments) {
    target.suffix(segments);
    return this;
  }

  /**
   * Sets the segments before namespace, resource and name; the path of the server itself stays
   * before them. A single argument keeps its trailing slash.
   */
  public Request absPath(String... segments) {
    target.absolute(segments);
    return this;
  }

  /** Sets path and parameters to those of a URI that is relative to the server. */
  public Request requestURI(String uri) {
    HttpUrl url = HttpUrl.get("http://server/").resolve(uri);
    if (url == null) {
      throw new IllegalArgumentException("not a URI of a server: " + uri);
    }
    absPath(String.join("/", url.pathSegments()));
    query.clear();
    for (int i = 0; i < url.querySize(); i++) {
      String value = url.queryParameterValue(i);
      query.add(url.queryParameterName(i), value == null ? "" : value);
    }
    return this;
  }

  /**
   * Sets the namespace. The empty string means all, where that makes sense.
   *
   * @throws IllegalArgumentException if it is already set or not allowed in a path
   */
  public Request namespace(String namespace) {
    target.namespace(namespace);
    return this;
  }

  /**
   * Sets the resource, such as {@code pods}.
   *
   * @throws IllegalArgumentException if it is already set or not allowed in a path
   */
  public Request resource(String resource) {
    target.resource(resource);
    return this;
  }

  /**
   * Sets the name of the object.
   *
   * @throws IllegalArgumentException if it is empty, already set or not allowed in a path
   */
  public Request name(String name) {
    target.name(name);
    return this;
  }

  /**
   * Sets the subresource, such as {@code status}.
   *
   * @throws IllegalArgumentException if it is already set or not allowed in a path
   */
  public Request subResource(String... segments) {
    target.subResource(segments);
    return this;
  }

  /** Adds a query parameter; a name can have several values. */
  public Request param(String name, String value) {
    query.add(requireNonNull(name, "name"), requireNonNull(value, "value"));
    return this;
  }

  /** Adds the parameters of a list. */
  public Request options(ListOptions options) {
    return params(options.toQuery(false));
  }

  /** Adds the parameters of a list, and its timeout if it has one. */
  Request select(ListOptions options) {
    return options.timeout() == null
        ? options(options)
        : options(options).timeout(options.timeout());
  }

  /** Adds the parameters of a watch, and ends it some time after the server should have. */
  Request selectWatch(ListOptions options) {
    watchTimeout = options.timeout() == null ? Duration.ZERO : options.timeout().plus(WATCH_GRACE);
    return params(options.toQuery(true));
  }

  /** Adds parameters. */
  Request params(Map<String, String> query) {
    query.forEach(this::param);
    return this;
  }

  /**
   * Sets a header, which replaces the client's header of the same name. Letters beyond ASCII are
   * sent as UTF-8.
   *
   * @throws IllegalArgumentException if the name or the value is not allowed in a header
   */
  public Request header(String name, String value) {
    RequestHeaders.set(headers, name, value);
    return this;
  }

  /**
   * Sets the timeout of the request, retries and the body of the response included. It is sent to
   * the server too. Zero means no limit.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public Request timeout(Duration timeout) {
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("the timeout is negative: " + timeout);
    }
    this.timeout = timeout;
    return this;
  }

  /**
   * Sets how often the request is sent again at most; {@value #DEFAULT_MAX_RETRIES} times by
   * default.
   */
  public Request maxRetries(int maxRetries) {
    this.maxRetries = Math.max(0, maxRetries);
    return this;
  }

  /** Sets the handler of the server's warnings, which replaces the client's. */
  public Request warningHandler(WarningHandler handler) {
    this.warnings = requireNonNull(handler, "handler");
    return this;
  }

  /** Sets the body to an object in JSON. */
  public <T> Request body(JsonCodec<T> codec, T value) {
    if (value instanceof KubernetesObject object) {
      object.metadata().requireWritable();
    }
    return body(JsonWriter.toBytes(codec, value), "application/json");
  }

  /** Sets the body to an object in one of its encodings. */
  public <T> Request body(Serializer<T> serializer, T value) {
    return body(serializer.write(value), serializer.mediaType());
  }

  /** Sets the body to bytes of a media type. */
  public Request body(byte[] content, String contentType) {
    this.content = RequestContent.of(content, contentType);
    return this;
  }

  /** Sets the body to a stream, which is closed after it is sent. Such a request is not retried. */
  public Request body(InputStream content, String contentType) {
    this.content = RequestContent.of(content, contentType);
    return this;
  }

  /** Returns the URL of the request. */
  public URI uri() {
    return url(false).uri();
  }

  /**
   * Sends the request and reads the response.
   *
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if the server responds with an
   *     error
   * @throws TransportException if it does not respond
   * @throws InterruptedException if the thread is interrupted
   */
  public Result execute() throws InterruptedException {
    try (HttpResponse response = send(OnLostConnection.GET, false, context.idleTimeout())) {
      byte[] body = response.isSuccess() ? response.readAll() : response.readError();
      StatusErrors.check(target, response, body);
      return new Result(response, body);
    }
  }

  /**
   * Sends the request and returns the body of the response, which the caller closes. The body has
   * no idle timeout, because the log of a pod can be silent for any time. If the thread is
   * interrupted while it reads the body, the stream throws {@link java.io.InterruptedIOException}.
   *
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if the server responds with an
   *     error
   * @throws TransportException if it does not respond
   * @throws InterruptedException if the thread is interrupted
   */
  public InputStream stream() throws InterruptedException {
    return open(OnLostConnection.NEVER, false, Duration.ZERO).body();
  }

  /**
   * Sends the request over a new connection, which then switches to another protocol. The caller
   * closes the connection. Timeouts of the client and of this request end when it has switched.
   *
   * @param protocol the name of the protocol, such as {@code websocket}
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if the server responds with an
   *     error
   * @throws TransportException if it does not respond, or does not switch
   * @throws InterruptedException if the thread is interrupted
   */
  public UpgradedConnection upgrade(String protocol) throws InterruptedException {
    header("Connection", "Upgrade");
    header("Upgrade", protocol);
    HttpResponse response = send(OnLostConnection.NEVER, url(true), timeout, context.idleTimeout());
    if (response.output().isPresent()) {
      return new UpgradedConnection(response, response.output().get());
    }
    if (!response.isSuccess() && response.code() != 101) {
      throw failure(response);
    }
    try (response) {
      throw new TransportException(
          TransportException.Kind.OTHER,
          response.describe()
              + ": the server, or a proxy on the way, did not switch to "
              + protocol
              + " but responded with status "
              + response.code(),
          null);
    }
  }

  /**
   * Sends the request as a watch.
   *
   * @param codec reads the objects
   * @param context holds the strings and values that the objects share
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if the server responds with an
   *     error
   * @throws TransportException if it does not respond
   * @throws InterruptedException if the thread is interrupted
   */
  public <T> Watch<T> watch(JsonCodec<T> codec, DecodeContext context) throws InterruptedException {
    return watch(NegotiatedSerializer.json(codec), context);
  }

  /**
   * Sends the request as a watch in the encoding that the server chooses. The caller sets the
   * header {@code Accept}.
   *
   * @param serializers the encodings of the objects
   * @param context holds the strings and values that the objects share
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if the server responds with an
   *     error
   * @throws dev.clientgo.apimachinery.errors.CodecException if it responds in another encoding
   * @throws TransportException if it does not respond
   * @throws InterruptedException if the thread is interrupted
   */
  public <T> Watch<T> watch(NegotiatedSerializer<T> serializers, DecodeContext context)
      throws InterruptedException {
    try {
      HttpResponse response =
          send(OnLostConnection.WATCH, true, this.context.config().watchIdleTimeout());
      if (response.code() != 200) {
        throw failure(response);
      }
      refuseWebPage(response);
      return StreamWatch.of(response, serializers, context);
    } catch (TransportException e) {
      // As in client-go, a connection that breaks ends the watch. Unlike client-go: the watch has
      // one event, the error.
      if (RequestSender.isLostWatch(e)) {
        return StreamWatch.lost(e);
      }
      throw e;
    }
  }

  /** Sends the request, and reads the list in the response while it arrives. */
  <T> ListMeta list(
      NegotiatedSerializer<T> serializers, DecodeContext context, ListSink<? super T> sink)
      throws InterruptedException {
    header("Accept", serializers.acceptList());
    try (HttpResponse response = open(OnLostConnection.GET, false, this.context.idleTimeout())) {
      refuseWebPage(response);
      StatusErrors.checkMediaType(response.header("Content-Type"), response::describe);
      Serializer<T> serializer = serializers.forContentType(response.header("Content-Type"));
      return response.read(in -> serializer.readList(in, context, sink));
    }
  }

  private HttpResponse open(OnLostConnection retry, boolean watch, Duration idle)
      throws InterruptedException {
    HttpResponse response = send(retry, watch, idle);
    if (!response.isSuccess()) {
      throw failure(response);
    }
    return response;
  }

  /** A login page, for example, has the status 200. */
  private static void refuseWebPage(HttpResponse response) throws InterruptedException {
    if (StatusErrors.isHtml(response.header("Content-Type"))) {
      try (response) {
        byte[] page = response.read(in -> in.readNBytes(StatusErrors.MAX_TEXT));
        throw CodecException.malformed(
            response.describe() + ": " + StatusErrors.webPage(page), "", -1, null);
      }
    }
  }

  private RuntimeException failure(HttpResponse response) throws InterruptedException {
    try (response) {
      return StatusErrors.of(target, response, response.readError());
    }
  }

  private HttpResponse send(OnLostConnection onLost, boolean watch, Duration idle)
      throws InterruptedException {
    return send(onLost, url(watch), watch ? watchTimeout : timeout, idle);
  }

  private HttpResponse send(OnLostConnection onLost, HttpUrl url, Duration timeout, Duration idle)
      throws InterruptedException {
    target.checkNamespace();
    HttpResponse response =
        new RequestSender(
                context,
                target,
                url,
                RequestHeaders.complete(headers, context.config()),
                content,
                idle,
                timeout)
            .send(onLost, maxRetries);
    context.policies().warn(warnings, response.headers("Warning"));
    return response;
  }

  private HttpUrl url(boolean watch) {
    HttpUrl.Builder url = context.server().newBuilder();
    target.addTo(url);
    Query all = query;
    if (!timeout.isZero() && !watch) {
      all = query.copy();
      all.set("timeout", seconds(timeout));
    }
    return url.encodedQuery(all.isEmpty() ? null : all.encode()).build();
  }

  /** A server written in Go expects a unit. */
  private static String seconds(Duration duration) {
    BigDecimal fraction = BigDecimal.valueOf(duration.getNano(), 9);
    return fraction
            .add(BigDecimal.valueOf(duration.getSeconds()))
            .stripTrailingZeros()
            .toPlainString()
        + "s";
  }

  /** Returns a description of the credentials, for the error that the server rejects them. */
  private String sender() {
    String sent =
        headers.get("Authorization") == null
            ? context.credentials().describe()
            : "the header Authorization of this request";
    return sent.isEmpty()
        ? "this client has no credentials configured"
        : "the server does not accept " + sent;
  }
}
