package dev.clientgo.rest.config;

/**
 * How a client uses CBOR (RFC 8949), an encoding of the API that is off by default (KEP-4222). It
 * applies to types that have no protobuf: custom resources, whether typed or dynamic.
 *
 * <p>Tables, merge patches and JSON patches are JSON in every mode, because servers offer no
 * alternative that the client reads or sends: kube-apiserver 1.36 answers 406 and 415 to CBOR
 * there.
 *
 * <p>Corresponds to client-go's feature gates {@code ClientsAllowCBOR} and {@code
 * ClientsPreferCBOR}.
 */
public enum CborMode {
  /** The client neither asks for CBOR nor sends it. */
  OFF,

  /** The client prefers responses in CBOR, and sends JSON. A server without CBOR sends JSON. */
  ALLOW,

  /**
   * The client prefers responses in CBOR, and sends objects and apply patches in CBOR. If the
   * server does not take it (status 415), the client sends the request again in JSON, and all later
   * ones.
   */
  PREFER
}
