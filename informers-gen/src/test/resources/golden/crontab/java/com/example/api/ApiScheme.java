package com.example.api;

import com.example.api.stable.v1.CronTab;
import dev.clientgo.apimachinery.runtime.Scheme;
import javax.annotation.processing.Generated;

/** Adds the types of all resources to a scheme. */
@Generated("dev.clientgo.gen")
public final class ApiScheme {

  private ApiScheme() {}

  /** Adds the types to a scheme, and returns it. */
  public static Scheme.Builder addTo(Scheme.Builder scheme) {
    scheme.add(CronTab.TYPE, CronTab.class);
    return scheme;
  }
}
