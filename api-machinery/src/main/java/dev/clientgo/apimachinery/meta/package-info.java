/**
 * What all objects of the API have in common, and how they are asked for.
 *
 * <p>Every stored object carries an {@link dev.clientgo.apimachinery.meta.ObjectMeta}. Its
 * <em>name</em> is unique among the objects of its kind in its namespace; its <em>uid</em> is
 * unique for all time, so that an object made anew under the same name is not taken for the old
 * one. The <em>resourceVersion</em> changes with every write: who sends one back says "only if
 * nobody has written since", which is how two writers do not overwrite each other. The
 * <em>generation</em> changes only with what is wanted, so that a controller can say which wish it
 * has seen.
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
 * <p>Three conventions hold objects together, and each has its functions here, for objects of any
 * type:
 *
 * <ul>
 *   <li>{@link dev.clientgo.apimachinery.meta.OwnerReferences}: an owned object goes when its owner
 *       goes. At most one owner is the <em>controller</em>, which made the object and looks after
 *       it.
 *   <li>{@link dev.clientgo.apimachinery.meta.Finalizers}: a deleted object stays, marked, until
 *       everybody who must clean up has removed the finalizer that bears their name.
 *   <li>{@link dev.clientgo.apimachinery.meta.Conditions}: a status says what is so, since when,
 *       and why, in a list with one entry a question.
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
 * <p>Who needs less than whole objects asks for {@link
 * dev.clientgo.apimachinery.meta.PartialObjectMetadata} or, to show them to people, for a {@link
 * dev.clientgo.apimachinery.meta.Table}. How a call is to be understood is said by options, {@link
 * dev.clientgo.apimachinery.meta.ListOptions} and its siblings; how it ended, where that is not by
 * an object, by a {@link dev.clientgo.apimachinery.status.Status}. The rest are values that fields
 * are made of: {@link dev.clientgo.apimachinery.meta.Time} in seconds, {@link
 * dev.clientgo.apimachinery.meta.MicroTime}, {@link dev.clientgo.apimachinery.meta.GoDuration},
 * {@link dev.clientgo.apimachinery.meta.Bytes}.
 *
 * <p>The records of this package grow as the API grows. Build them through their builders; the
 * constructors with all components are not part of the stable API. Corresponds to the Go packages
 * {@code k8s.io/apimachinery/pkg/apis/meta/v1} and, for conditions, {@code pkg/api/meta}.
 */
package dev.clientgo.apimachinery.meta;
