/** Clients, informers and the scheme of generated types. */
@org.jspecify.annotations.NullMarked
package com.example.api;
