package dev.clientgo.remotecommand.portforward;

import static java.util.Objects.requireNonNull;

import dev.clientgo.rest.RESTClient;

/** A pod, or something that has pods. Each connection asks it for a pod. */
abstract class PodTarget {

  /** A port of a pod. */
  record PodPort(String pod, int port) {}

  private final String namespace;

  PodTarget(String namespace) {
    this.namespace = requireNonNull(namespace, "namespace");
  }

  String namespace() {
    return namespace;
  }

  /** Returns the pod, if it is known, or else this. */
  final String describe(String pod) {
    return pod.isEmpty() ? toString() : "the pod " + namespace + "/" + pod;
  }

  /** Returns the pod and the port that a connection goes to. */
  abstract PodPort resolve(RESTClient client, int port) throws InterruptedException;

  static PodTarget pod(String namespace, String pod) {
    requireNonNull(pod, "pod");
    return new PodTarget(namespace) {
      @Override
      PodPort resolve(RESTClient client, int port) {
        return new PodPort(pod, port);
      }

      @Override
      public String toString() {
        return "the pod " + namespace() + "/" + pod;
      }
    };
  }
}
