/** The types of {@code stable.example.com/v1}. */
@org.jspecify.annotations.NullMarked
package com.example.api.stable.v1;
