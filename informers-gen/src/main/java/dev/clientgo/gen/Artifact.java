package dev.clientgo.gen;

/**
 * A part of the output beside the types of the objects, which are always generated and need
 * api-machinery.
 */
public enum Artifact {
  /** A {@code Clientset}, which gives a client for each resource. Needs rest-client. */
  CLIENTS,

  /** An {@code InformerFactory}, which gives an informer for each resource. Needs tools-cache. */
  INFORMERS,

  /** An {@code ApiScheme}, which adds the types to a scheme. */
  SCHEME
}
