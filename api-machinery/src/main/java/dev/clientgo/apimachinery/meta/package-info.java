/**
 * The types that all objects of the API share: metadata, owners, conditions, times.
 *
 * <p>Every stored object carries an {@link dev.clientgo.apimachinery.meta.ObjectMeta}. Its
 * <em>name</em> is unique among the objects of its kind in its namespace; its <em>uid</em> is
 * unique for all time, so a new object is not mistaken for a deleted one of the same name. The
 * <em>resourceVersion</em> changes with every write. A request that sends one back succeeds only if
 * the object has not changed since; this keeps two writers from overwriting each other. The
 * <em>generation</em> changes only with the desired state, so a controller can record which state
 * it has observed.
 *
 * <p>Objects are immutable, and so is their metadata. Absent fields are null; an edit gives a new
 * value:
 *
 * <pre>{@code
 * ObjectMeta before = ObjectMeta.of(m -> m.name("web").editLabels(l -> l.put("app", "shop")));
 * ObjectMeta after = before.with(m -> m.editLabels(l -> l.put("tier", "front")));
 * after.label("app"); // shop
 * }</pre>
 *
 * <p>Three conventions connect objects. Each has functions for objects of any type:
 *
 * <ul>
 *   <li>{@link dev.clientgo.apimachinery.meta.OwnerReferences}: the server deletes an owned object
 *       after its owner. At most one owner is the <em>controller</em>, which created the object and
 *       manages it.
 *   <li>{@link dev.clientgo.apimachinery.meta.Finalizers}: a deleted object stays, marked, until
 *       each controller that must clean up has removed its finalizer.
 *   <li>{@link dev.clientgo.apimachinery.meta.Conditions}: a status lists its conditions, one for
 *       each type: whether it holds, since when, and why.
 * </ul>
 *
 * <pre>{@code
 * Unstructured pod = OwnerReferences.setController(template, job);
 * Unstructured held = Finalizers.add(pod, "example.com/clean-up");
 * List<Condition> conditions =
 *     Conditions.set(
 *         held.nested(Conditions.CODEC, "status", "conditions").orElse(List.of()),
 *         Condition.of(c -> c.type("Ready").status(Conditions.TRUE).reason("Started")),
 *         Clock.system());
 * Unstructured ready = held.withNested(Conditions.CODEC, conditions, "status", "conditions");
 * }</pre>
 *
 * <p>A program that needs less than whole objects requests {@link
 * dev.clientgo.apimachinery.meta.PartialObjectMetadata} or, to show them to people, a {@link
 * dev.clientgo.apimachinery.meta.table.Table}. The options of requests are in {@link
 * dev.clientgo.apimachinery.meta.options}. A response without an object is a {@link
 * dev.clientgo.apimachinery.status.Status}. The other types are values of fields: {@link
 * dev.clientgo.apimachinery.meta.Time} in seconds, {@link
 * dev.clientgo.apimachinery.meta.MicroTime}, {@link dev.clientgo.apimachinery.meta.GoDuration},
 * {@link dev.clientgo.apimachinery.meta.Bytes}.
 *
 * <p>The records of this package grow as the API grows. Build them through their builders; the
 * constructors with all components are not part of the stable API. Corresponds to the Go packages
 * {@code k8s.io/apimachinery/pkg/apis/meta/v1} and, for conditions, {@code pkg/api/meta}.
 */
package dev.clientgo.apimachinery.meta;
