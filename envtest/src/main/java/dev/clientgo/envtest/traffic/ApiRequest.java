package dev.clientgo.envtest.traffic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A request to the API, parsed as kube-apiserver does for its authorizers, so that a test can check
 * what a client sent. Immutable.
 *
 * <p>Corresponds to the API server's {@code endpoints/request.RequestInfo}.
 */
public final class ApiRequest {

  private final String method;
  private final String path;
  private final Map<String, List<String>> query;
  private final Map<String, List<String>> headers;
  private final byte[] body;
  private final Target target;

  /** The meaning of the path and the method; parts that are missing are empty strings. */
  private record Target(
      String verb,
      String group,
      String version,
      String resource,
      String namespace,
      String name,
      String subresource) {}

  private ApiRequest(
      String method,
      String path,
      Map<String, List<String>> query,
      Map<String, List<String>> headers,
      byte[] body) {
    this.method = method;
    this.path = path;
    this.query = query;
    this.headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    this.headers.putAll(headers);
    this.body = body;
    this.target = target(method, path, query);
  }

  /**
   * Parses the parts of an HTTP request.
   *
   * @param method the HTTP method, in upper case
   * @param target the path and the query, as sent
   * @param headers the values of each header
   * @param body the body, empty if there is none
   */
  public static ApiRequest of(
      String method, String target, Map<String, List<String>> headers, byte[] body) {
    int mark = target.indexOf('?');
    String path = mark < 0 ? target : target.substring(0, mark);
    String query = mark < 0 ? "" : target.substring(mark + 1);
    return new ApiRequest(method, path, parameters(query), headers, body.clone());
  }

  private static Map<String, List<String>> parameters(String query) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    for (String pair : query.split("&", -1)) {
      if (!pair.isEmpty()) {
        int equals = pair.indexOf('=');
        String name = equals < 0 ? pair : pair.substring(0, equals);
        String value = equals < 0 ? "" : pair.substring(equals + 1);
        parameters.computeIfAbsent(decode(name), n -> new ArrayList<>()).add(decode(value));
      }
    }
    return parameters;
  }

  private static String decode(String text) {
    try {
      return URLDecoder.decode(text, UTF_8);
    } catch (IllegalArgumentException e) {
      return text; // Keep it undecoded: no parameter of the API looks like this.
    }
  }

  /** Decodes a segment of the path, in which a plus sign is not a space. */
  static String decodeSegment(String text) {
    return decode(text.replace("+", "%2B"));
  }

  private static Target target(String method, String path, Map<String, List<String>> query) {
    List<String> parts = new ArrayList<>(List.of(path.substring(1).split("/", -1)));
    boolean core = parts.get(0).equals("api") && parts.size() > 2;
    boolean grouped = parts.get(0).equals("apis") && parts.size() > 3;
    if (!core && !grouped) {
      return new Target(method.toLowerCase(Locale.ROOT), "", "", "", "", "", "");
    }
    String group = core ? "" : parts.get(1);
    String version = parts.get(core ? 1 : 2);
    List<String> rest = parts.subList(core ? 2 : 3, parts.size());
    boolean watchPrefix = rest.get(0).equals("watch") && rest.size() > 1;
    if (watchPrefix) {
      rest = rest.subList(1, rest.size());
    }
    String namespace = "";
    if (rest.get(0).equals("namespaces") && rest.size() > 1) {
      namespace = decodeSegment(rest.get(1));
      // /namespaces/x/status is a subresource of the namespace; /namespaces/x/pods lists its pods.
      if (rest.size() > 2 && !rest.get(2).equals("status") && !rest.get(2).equals("finalize")) {
        rest = rest.subList(2, rest.size());
      }
    }
    String name = rest.size() > 1 ? decodeSegment(rest.get(1)) : "";
    String subresource = rest.size() > 2 ? rest.get(2) : "";
    String verb = verb(method, name, watchPrefix || isWatch(query));
    return new Target(verb, group, version, rest.get(0), namespace, name, subresource);
  }

  private static boolean isWatch(Map<String, List<String>> query) {
    List<String> values = query.getOrDefault("watch", List.of());
    return !values.isEmpty() && !values.get(0).equals("false") && !values.get(0).equals("0");
  }

  private static String verb(String method, String name, boolean watch) {
    return switch (method) {
      case "POST" -> "create";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      case "DELETE" -> name.isEmpty() ? "deletecollection" : "delete";
      case "GET", "HEAD" -> name.isEmpty() ? (watch ? "watch" : "list") : "get";
      default -> method.toLowerCase(Locale.ROOT);
    };
  }

  /** Returns the HTTP method. */
  public String method() {
    return method;
  }

  /** Returns the path as sent, without the query. */
  public String path() {
    return path;
  }

  /** Returns the decoded query parameters, in the order in which they were sent. */
  public Map<String, List<String>> query() {
    return query;
  }

  /** Returns the first value of a query parameter, or the empty string. */
  public String query(String name) {
    List<String> values = query.getOrDefault(name, List.of());
    return values.isEmpty() ? "" : values.get(0);
  }

  /** Returns the last value of a header, or empty. The case of the name does not matter. */
  public Optional<String> header(String name) {
    List<String> values = headers.getOrDefault(name, List.of());
    return values.isEmpty() ? Optional.empty() : Optional.of(values.get(values.size() - 1));
  }

  /** Returns all values of a header. The case of the name does not matter. */
  public List<String> headers(String name) {
    return List.copyOf(headers.getOrDefault(name, List.of()));
  }

  /**
   * Returns the verb: {@code get}, {@code list}, {@code watch}, {@code create}, {@code update},
   * {@code patch}, {@code delete} or {@code deletecollection}; for a path outside the resources,
   * the HTTP method in lower case.
   */
  public String verb() {
    return target.verb;
  }

  /**
   * Returns whether the request has this verb and this resource. The resource may name a group, as
   * in {@code deployments.apps}, and a subresource, as in {@code pods/status}; without a group it
   * matches those of all groups, without a subresource the objects and their subresources. A {@code
   * *} stands for all verbs or all resources; paths outside the resources, such as those of
   * discovery, are no resources.
   */
  public boolean matches(String verb, String resource) {
    return (verb.equals("*") || target.verb.equals(verb)) && isOf(resource);
  }

  private boolean isOf(String resource) {
    int slash = resource.indexOf('/');
    String type = slash < 0 ? resource : resource.substring(0, slash);
    boolean typeFits =
        type.equals("*")
            ? !target.resource.isEmpty()
            : type.equals(target.resource) || type.equals(typeName());
    return typeFits && (slash < 0 || resource.substring(slash + 1).equals(target.subresource));
  }

  /** Returns the resource with its group, as kubectl writes it. */
  private String typeName() {
    return target.group.isEmpty() ? target.resource : target.resource + "." + target.group;
  }

  /**
   * Returns the request in a few words: the verb, the resource with its group and subresource, and
   * the namespace and the name of the object, such as {@code update deployments.apps/status
   * default/web}. A create has the name of the object in its body; a list of one namespace ends
   * with a slash, {@code list pods default/}, one of all namespaces with the resource.
   */
  public String summary() {
    if (target.resource.isEmpty()) {
      return target.verb + " " + path;
    }
    String subresource = target.subresource.isEmpty() ? "" : "/" + target.subresource;
    boolean own = target.resource.equals("namespaces") && target.group.isEmpty();
    String namespace = target.namespace.isEmpty() || own ? "" : target.namespace + "/";
    String object = namespace + (target.name.isEmpty() ? nameInBody() : target.name);
    return target.verb + " " + typeName() + subresource + (object.isEmpty() ? "" : " " + object);
  }

  private String nameInBody() {
    if (!target.verb.equals("create") || !contentType().equals("application/json")) {
      return "";
    }
    try {
      ObjectMeta sent = object().metadata();
      return sent.name() != null
          ? sent.name()
          : sent.generateName() == null ? "" : sent.generateName() + "*";
    } catch (CodecException e) {
      return ""; // The server refuses the body.
    }
  }

  /** Returns the API group; empty for the core group and for a path outside the resources. */
  public String group() {
    return target.group;
  }

  /** Returns the version of the API group, or the empty string. */
  public String version() {
    return target.version;
  }

  /** Returns the plural name of the resource, or the empty string. */
  public String resource() {
    return target.resource;
  }

  /** Returns the namespace, or the empty string. */
  public String namespace() {
    return target.namespace;
  }

  /** Returns the name of the object, or the empty string. */
  public String name() {
    return target.name;
  }

  /** Returns the subresource, such as {@code status}, or the empty string. */
  public String subresource() {
    return target.subresource;
  }

  /**
   * Returns the media type of the body in lower case, without parameters; {@code application/json}
   * if the request does not name one.
   */
  public String contentType() {
    String type = header("Content-Type").orElse("application/json");
    int semicolon = type.indexOf(';');
    return (semicolon < 0 ? type : type.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the user: the one that the request impersonates by its headers, or else the
   * administrator.
   */
  public User user() {
    return User.of(headers);
  }

  /** Returns whether the request impersonates groups or other attributes of a user it omits. */
  public boolean lacksImpersonatedUser() {
    return User.lacksName(headers);
  }

  /** Returns the {@code fieldManager} that the client has named, or the empty string. */
  public String fieldManager() {
    return query("fieldManager");
  }

  /** Returns whether the request is a server-side apply. */
  public boolean isApply() {
    return target.verb.equals("patch") && contentType().startsWith("application/apply-patch+");
  }

  /** Returns whether the verb is one that reads: get, list or watch. */
  public boolean isRead() {
    return List.of("get", "list", "watch", "head").contains(target.verb);
  }

  /**
   * Returns whether the request is a dry run, by its query or by the {@code DeleteOptions} in its
   * body.
   */
  public boolean isDryRun() {
    return query.containsKey("dryRun")
        || (target.verb.startsWith("delete")
            && body.length > 0
            && object().nestedStringList("dryRun").filter(all -> !all.isEmpty()).isPresent());
  }

  /**
   * Returns the object in the body: what a client creates, updates or applies, a merge patch, or
   * {@code DeleteOptions}.
   *
   * @throws CodecException if the body is no JSON or YAML object, such as a JSON patch, which is an
   *     array; {@link #bodyText} has it
   */
  public Unstructured object() {
    return contentType().endsWith("yaml")
        ? Unstructured.parseYaml(bodyText()).get(0)
        : Unstructured.parse(bodyText());
  }

  /** Returns the object in the body as a type, like {@link #object()}. */
  public <T> T object(JsonCodec<T> codec) {
    return object().to(codec);
  }

  /** Returns a copy of the body. */
  public byte[] body() {
    return body.clone();
  }

  /** Returns the body as text. */
  public String bodyText() {
    return new String(body, UTF_8);
  }

  /** Returns the method, the path and the query. */
  @Override
  public String toString() {
    return query.isEmpty() ? method + " " + path : method + " " + path + " " + query;
  }

  /**
   * The user for whom a request is made. Immutable. Corresponds to {@code user.Info} of the API
   * server.
   *
   * @param name the name, such as {@code system:serviceaccount:default:web}
   * @param uid the UID, or the empty string
   * @param groups the groups, such as {@code system:authenticated}
   * @param extra more attributes
   */
  public record User(
      String name, String uid, List<String> groups, Map<String, List<String>> extra) {

    private static final String MASTERS = "system:masters";
    private static final String AUTHENTICATED = "system:authenticated";
    private static final String UNAUTHENTICATED = "system:unauthenticated";
    private static final String ANONYMOUS = "system:anonymous";
    private static final String ACCOUNT = "system:serviceaccount:";
    private static final String EXTRA = "impersonate-extra-";

    public User {
      requireNonNull(name, "name");
      requireNonNull(uid, "uid");
      groups = List.copyOf(groups);
      extra = Map.copyOf(extra);
    }

    /** Returns the administrator, who may do everything. */
    public static User admin() {
      return new User("envtest-admin", "", List.of(MASTERS, AUTHENTICATED), Map.of());
    }

    /** Returns the user of a request without credentials. */
    public static User anonymous() {
      return new User(ANONYMOUS, "", List.of(UNAUTHENTICATED), Map.of());
    }

    /** Returns whether everything is allowed to the user, whatever roles say. */
    public boolean isAdmin() {
      return groups.contains(MASTERS);
    }

    /** Returns whether the user is this service account. */
    public boolean isServiceAccount(String namespace, String account) {
      return name.equals(ACCOUNT + namespace + ":" + account);
    }

    /**
     * Returns the user that an administrator impersonates by these headers, or the administrator.
     */
    static User of(Map<String, List<String>> headers) {
      String name = first(headers, "Impersonate-User");
      if (name.isEmpty()) {
        return admin();
      }
      Map<String, List<String>> extra = new LinkedHashMap<>();
      headers.forEach(
          (header, values) -> {
            String key = header.toLowerCase(Locale.ROOT);
            if (key.startsWith(EXTRA)) {
              extra.put(
                  ApiRequest.decodeSegment(key.substring(EXTRA.length())), List.copyOf(values));
            }
          });
      List<String> groups = headers.getOrDefault("Impersonate-Group", List.of());
      return new User(name, first(headers, "Impersonate-Uid"), groups(name, groups), extra);
    }

    /** Returns a user with these groups and those that the API server adds. */
    public static User impersonated(String name, List<String> groups) {
      return new User(name, "", groups(name, groups), Map.of());
    }

    /** Returns whether there are attributes of a user to impersonate, but no name. */
    static boolean lacksName(Map<String, List<String>> headers) {
      Set<String> parts = Set.of("impersonate-group", "impersonate-uid");
      return first(headers, "Impersonate-User").isEmpty()
          && headers.keySet().stream()
              .map(header -> header.toLowerCase(Locale.ROOT))
              .anyMatch(header -> parts.contains(header) || header.startsWith(EXTRA));
    }

    private static List<String> groups(String name, List<String> sent) {
      List<String> groups = new ArrayList<>(sent);
      String[] account = name.split(":", -1);
      if (groups.isEmpty() && name.startsWith(ACCOUNT) && account.length == 4) {
        groups.add("system:serviceaccounts");
        groups.add("system:serviceaccounts:" + account[2]);
      }
      boolean anonymous = name.equals(ANONYMOUS);
      if (!groups.contains(UNAUTHENTICATED) && (anonymous || !groups.contains(AUTHENTICATED))) {
        groups.add(anonymous ? UNAUTHENTICATED : AUTHENTICATED);
      }
      return groups;
    }

    private static String first(Map<String, List<String>> headers, String name) {
      List<String> values = headers.getOrDefault(name, List.of());
      return values.isEmpty() ? "" : values.get(0);
    }
  }
}
