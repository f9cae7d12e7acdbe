/** Finds the resources and named types in documents: CRDs, OpenAPI v3, schema files, servers. */
package dev.clientgo.gen.internal.schema;
