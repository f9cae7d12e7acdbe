package dev.clientgo.kubectl;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.NoMatchException;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.managedfields.ManagedFields;
import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.apimachinery.restmapper.RESTMapping;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Deadline;
import dev.clientgo.kubectl.ObjectResult.Outcome;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Applies manifests by server-side apply.
 *
 * <pre>{@code
 * Apply.with(client, "my-installer")
 *     .inNamespace("web")
 *     .prune(Selector.parse("app=web"))
 *     .run(Manifests.read(Path.of("deploy")))
 *     .orThrow();
 * }</pre>
 *
 * <p>Namespaces and CRDs are applied first, and each CRD is awaited until it is established; the
 * others follow in the order in which they were written. Discovery finds where a kind is served,
 * and is asked again after a CRD. A namespaced object without a namespace goes to that of {@link
 * #inNamespace}; the namespace of any other object is removed.
 *
 * <p>The failure of one object does not keep the others from being applied: each has its result.
 * Errors that concern all of them, such as a server that cannot be reached, are results of each,
 * too. Immutable, safe for use by many threads. Corresponds to {@code kubectl apply --server-side}.
 */
public final class Apply {

  private static final String CRD = "CustomResourceDefinition";
  private static final Duration CRD_TIMEOUT = Duration.ofMinutes(1);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

  private final RESTClient client;
  private final String fieldManager;

  /** Sets what the caller has chosen, in that order. */
  private final Consumer<Options> settings;

  /** The options of an apply; changed only before it begins. */
  private static final class Options {
    final String fieldManager;
    String namespace = "default";
    boolean force;
    boolean dryRun;
    @Nullable Selector prune;
    List<GroupVersionKind> pruneKinds = List.of();
    @Nullable Duration ready;

    Options(String fieldManager) {
      this.fieldManager = fieldManager;
    }

    ApplyOptions toApplyOptions() {
      ApplyOptions options = ApplyOptions.of(fieldManager);
      options = force ? options.force() : options;
      return dryRun ? options.dryRun() : options;
    }
  }

  private Apply(RESTClient client, String fieldManager, Consumer<Options> settings) {
    this.client = client;
    this.fieldManager = fieldManager;
    this.settings = settings;
  }

  /**
   * Returns what applies manifests with a client.
   *
   * @param fieldManager the name of the program, which owns the fields that it applies
   */
  public static Apply with(RESTClient client, String fieldManager) {
    requireNonNull(client, "client");
    ApplyOptions.of(fieldManager); // Checks the name.
    return new Apply(client, fieldManager, options -> {});
  }

  /** Sets the namespace of objects that have none; {@code default} if it is not set. */
  public Apply inNamespace(String namespace) {
    requireNonNull(namespace, "namespace");
    return with(options -> options.namespace = namespace);
  }

  /** Takes the fields that other managers own, instead of failing with a conflict. */
  public Apply force() {
    return with(options -> options.force = true);
  }

  /**
   * Has the server check everything and store nothing. Objects of a CRD that is among the manifests
   * and not yet on the server fail, as do those in such a namespace. Nothing is awaited.
   */
  public Apply dryRun() {
    return with(options -> options.dryRun = true);
  }

  /**
   * Deletes what was applied before and is in no manifest any more, after all else has succeeded;
   * if an object has failed, nothing is deleted.
   *
   * <p>An object is deleted if all of this is true: it is of a kind of the manifests, Namespace and
   * CustomResourceDefinition excepted, or of one of the given kinds; it is in a namespace of the
   * manifests or that of {@link #inNamespace}, or its kind has none; its labels match the selector;
   * it has no owner; this field manager has applied it; and it is in no manifest. Other objects are
   * never deleted. Its dependents go with it, in the background.
   *
   * @param selector selects the objects of this set of manifests; must not be empty
   * @param kinds kinds that the manifests may not have any more, or must not be missed
   * @throws IllegalArgumentException if the selector selects everything
   */
  public Apply prune(Selector selector, GroupVersionKind... kinds) {
    if (selector.toString().isEmpty()) {
      throw new IllegalArgumentException("to prune, name a label of the set: app=web");
    }
    List<GroupVersionKind> more = List.of(kinds);
    return with(
        options -> {
          options.prune = selector;
          options.pruneKinds = more;
        });
  }

  /**
   * Waits after all objects have been applied until each is ready. An object that is not in time
   * has failed; its error says what was missing.
   *
   * <p>No object is ready while it is being deleted, while its {@code status.observedGeneration} is
   * older than itself, or while its condition Reconciling is True; one whose condition Stalled is
   * True has failed. Deployments, stateful sets and daemon sets are ready when they are rolled out,
   * replica sets when all replicas are available, pods when they are ready or have succeeded, jobs
   * when they are complete, claims when they are bound, CRDs when they are established. An object
   * of another kind is ready when its condition Ready is True, or at once if it has none. These are
   * the rules of kstatus, but for jobs and for pods that fail.
   *
   * @param timeout for all of them together
   */
  public Apply awaitReady(Duration timeout) {
    requireNonNull(timeout, "timeout");
    return with(options -> options.ready = timeout);
  }

  private Apply with(Consumer<Options> setting) {
    return new Apply(client, fieldManager, settings.andThen(setting));
  }

  /**
   * Applies the manifests.
   *
   * @return what became of each object, those that were pruned at the end
   */
  public ApplyReport run(Manifests manifests) throws InterruptedException {
    Options options = new Options(fieldManager);
    settings.accept(options);
    return new Run(options).run(manifests);
  }

  /** One run, for one thread. */
  private final class Run {

    private final Options options;
    private final Resources resources;
    private final Clock clock = Clock.system();
    private final List<ObjectResult> results = new ArrayList<>();
    private final List<Applied> applied = new ArrayList<>();
    private final Set<GroupKind> defined = new HashSet<>();

    /** An object that was applied, and the place of its result. */
    private record Applied(int index, RESTMapping mapping) {}

    Run(Options options) {
      this.options = options;
      this.resources = new Resources(client, options.namespace);
    }

    ApplyReport run(Manifests manifests) throws InterruptedException {
      List<Manifest> later = new ArrayList<>();
      List<Manifest> definitions = new ArrayList<>();
      for (Manifest manifest : manifests.all()) {
        if (isKind(manifest.value(), "", "Namespace")) {
          apply(manifest);
        } else if (isKind(manifest.value(), "apiextensions.k8s.io", CRD)) {
          definitions.add(manifest);
        } else {
          later.add(manifest);
        }
      }
      int first = results.size();
      for (Manifest definition : definitions) {
        apply(definition);
      }
      awaitEstablished(first);
      for (Manifest manifest : later) {
        apply(manifest);
      }
      awaitReady();
      prune();
      return new ApplyReport(results);
    }

    private void apply(Manifest manifest) throws InterruptedException {
      Unstructured object = manifest.value();
      String name = object.kind() + "/" + object.metadata().name();
      try {
        RESTMapping mapping = mapping(object.groupVersionKind());
        name = Resources.nameOf(mapping, object);
        Unstructured placed = resources.place(object, mapping);
        ResourceClient<Unstructured> target = resources.client(mapping, placed);
        Unstructured before = target.find(String.valueOf(placed.metadata().name())).orElse(null);
        Unstructured after = target.apply(placed, options.toApplyOptions());
        applied.add(new Applied(results.size(), mapping));
        results.add(new ObjectResult(name, outcome(before, after), after, null));
      } catch (NoMatchException e) {
        results.add(ObjectResult.failed(name, object, unknownKind(manifest, e)));
      } catch (IllegalArgumentException e) {
        KubernetesException error =
            new ConfigException(manifest.origin() + ": " + e.getMessage(), e);
        results.add(ObjectResult.failed(name, object, error));
      } catch (KubernetesException e) {
        results.add(ObjectResult.failed(name, object, e));
      }
    }

    private KubernetesException unknownKind(Manifest manifest, NoMatchException error) {
      return new ConfigException(
          manifest.origin()
              + ": the server does not know "
              + manifest.value().groupVersionKind()
              + ": apply its CRD first, or correct apiVersion and kind",
          error);
    }

    /** Discovery may show a new kind a moment after its CRD is established. */
    private RESTMapping mapping(GroupVersionKind kind) throws InterruptedException {
      long start = clock.nanoTime();
      while (true) {
        try {
          return resources.mapping(kind);
        } catch (NoMatchException e) {
          boolean late = clock.nanoTime() - start > CRD_TIMEOUT.toNanos();
          if (late || !defined.contains(kind.groupKind())) {
            throw e;
          }
        }
        clock.sleep(BETWEEN_LOOKS);
        resources.reset();
      }
    }

    /**
     * Another program may write between the read and the apply. So a new version alone does not
     * tell that this apply has changed the object; the fields that this manager owns do.
     */
    private Outcome outcome(@Nullable Unstructured before, Unstructured after) {
      if (before == null) {
        return Outcome.CREATED;
      }
      boolean stored = !options.dryRun; // A dry run may answer with the version that is stored.
      boolean same =
          (stored
                  && String.valueOf(before.metadata().resourceVersion())
                      .equals(after.metadata().resourceVersion()))
              || (after.metadata().projection() == null && owned(before).equals(owned(after)));
      return same ? Outcome.UNCHANGED : Outcome.CONFIGURED;
    }

    private Unstructured owned(Unstructured object) {
      return ManagedFields.extract(Unstructured.CODEC, object, options.fieldManager);
    }

    private void awaitEstablished(int first) throws InterruptedException {
      for (Applied each : List.copyOf(applied)) {
        if (each.index() >= first && !options.dryRun) {
          Unstructured definition = results.get(each.index()).value();
          if (awaitReady(each, CRD_TIMEOUT)) {
            defined.add(definedKind(definition));
          }
        }
      }
      if (!defined.isEmpty()) {
        resources.reset();
      }
    }

    private static GroupKind definedKind(Unstructured definition) {
      return new GroupKind(
          definition.nestedString("spec", "group").orElse(""),
          definition.nestedString("spec", "names", "kind").orElse(""));
    }

    private void awaitReady() throws InterruptedException {
      Duration timeout = options.ready;
      if (timeout == null || options.dryRun) {
        return;
      }
      Deadline deadline = clock.deadline(timeout);
      for (Applied each : applied) {
        awaitReady(each, deadline.left().plusMillis(1));
      }
    }

    private boolean awaitReady(Applied each, Duration timeout) throws InterruptedException {
      ObjectResult result = results.get(each.index());
      if (result.outcome() == Outcome.FAILED) {
        return false;
      }
      Unstructured object = result.value();
      try {
        Unstructured ready =
            ReadinessWait.await(
                resources.client(each.mapping(), object),
                String.valueOf(object.metadata().name()),
                object,
                timeout);
        results.set(
            each.index(), new ObjectResult(result.resource(), result.outcome(), ready, null));
        return true;
      } catch (TimeoutException e) {
        fail(each, ApiStatusException.timeout(String.valueOf(e.getMessage()), 0));
      } catch (KubernetesException e) {
        fail(each, e);
      }
      return false;
    }

    private void fail(Applied each, KubernetesException error) {
      ObjectResult result = results.get(each.index());
      results.set(each.index(), ObjectResult.failed(result.resource(), result.value(), error));
    }

    private void prune() throws InterruptedException {
      Selector selector = options.prune;
      if (selector == null || applied.size() < results.size() || hasFailures()) {
        return;
      }
      Map<String, RESTMapping> mappings = new TreeMap<>();
      Set<String> kept = new HashSet<>();
      Set<String> namespaces = new HashSet<>(Set.of(options.namespace));
      for (Applied each : applied) {
        Unstructured object = results.get(each.index()).value();
        kept.add(String.valueOf(object.metadata().uid()));
        if (object.metadata().namespace() != null) {
          namespaces.add(object.metadata().namespace());
        }
        if (!isKind(object, "", "Namespace") && !isKind(object, "apiextensions.k8s.io", CRD)) {
          mappings.put(each.mapping().resource().toString(), each.mapping());
        }
      }
      for (GroupVersionKind kind : options.pruneKinds) {
        try {
          RESTMapping mapping = resources.mapping(kind);
          mappings.put(mapping.resource().toString(), mapping);
        } catch (KubernetesException e) {
          results.add(Prune.failed(kind, e));
        }
      }
      Prune prune = new Prune(resources, options.fieldManager, selector, options.dryRun);
      for (RESTMapping mapping : mappings.values()) {
        results.addAll(prune.run(mapping, namespaces, kept));
      }
    }

    private boolean hasFailures() {
      return results.stream().anyMatch(result -> result.outcome() == Outcome.FAILED);
    }
  }

  private static boolean isKind(Unstructured object, String group, String kind) {
    GroupVersionKind type = object.groupVersionKind();
    return type.group().equals(group) && type.kind().equals(kind);
  }
}
