/**
 * Webhooks: functions that API servers call before they store an object (admission) or when they
 * need it in another version (conversion).
 *
 * <pre>{@code
 * WebhookServer webhooks =
 *     WebhookServer.builder()
 *         .add(Webhook.mutating(Foo.TYPE, (foo, request) -> withDefaults(foo)))
 *         .add(Webhook.validating(Foo.TYPE, (foo, request) -> check(foo)))
 *         .add(Conversion.hub(FooV2.TYPE).spoke(FooV1.TYPE, v1 -> toV2(v1), v2 -> toV1(v2)))
 *         .build();
 * }</pre>
 *
 * <p>A request takes this way:
 *
 * <pre>
 * API server ──▶ HTTPS ──▶ AdmissionReview ──▶ Mutator, Validator or AdmissionHandler ──▶ patch, verdict
 * </pre>
 *
 * <p>Corresponds to controller-runtime's {@code pkg/webhook}, {@code pkg/webhook/admission}, {@code
 * pkg/webhook/conversion} and {@code pkg/certwatcher}, and to {@code cert-controller} of Open
 * Policy Agent.
 */
package dev.clientgo.controller.webhook;
