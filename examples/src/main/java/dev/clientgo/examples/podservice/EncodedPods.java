package dev.clientgo.examples.podservice;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.serializer.ResourceList;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.io.ByteArrayOutputStream;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The JSON text of the pods that were asked for last. A state of a pod is encoded once, not once
 * for each answer, since to encode it costs more than to find it.
 *
 * <p>Safe for use by many threads.
 */
final class EncodedPods {

  private static final byte[] COMMA = ",".getBytes(UTF_8);
  private static final byte[] END = "]}".getBytes(UTF_8);

  /**
   * The text of one object. Its version does not identify it: after a restore of etcd, the server
   * gives its versions a second time.
   */
  private static final class Encoded {
    final WeakReference<Pod> pod;
    final byte[] json;

    Encoded(Pod pod, byte[] json) {
      this.pod = new WeakReference<>(pod);
      this.json = json;
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final long limit;

  /** The pods in the order in which they were last asked for, the oldest first. */
  @GuardedBy("lock")
  private final Map<ObjectName, Encoded> recent = new LinkedHashMap<>(16, 0.75f, true);

  @GuardedBy("lock")
  private long size;

  /**
   * Creates an empty cache.
   *
   * @param limit the number of bytes that it may keep
   */
  EncodedPods(long limit) {
    this.limit = limit;
  }

  /** Returns the JSON text of a pod, which must not be changed. */
  byte[] json(Pod pod) {
    ObjectName name = ObjectName.of(pod);
    lock.lock();
    try {
      Encoded known = recent.get(name);
      if (known != null && known.pod.refersTo(pod)) {
        return known.json;
      }
    } finally {
      lock.unlock();
    }
    byte[] json = JsonWriter.toBytes(Pod.CODEC, pod); // Two threads may both do it.
    keep(name, new Encoded(pod, json));
    return json;
  }

  private void keep(ObjectName name, Encoded encoded) {
    lock.lock();
    try {
      Encoded before = recent.put(name, encoded);
      size += encoded.json.length - (before == null ? 0 : before.json.length);
      Iterator<Encoded> oldest = recent.values().iterator();
      while (size > limit) {
        size -= oldest.next().json.length;
        oldest.remove();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns the JSON text of a list in pieces: the texts of its pods, and what is around them. */
  List<byte[]> json(ResourceList<Pod> list) {
    List<byte[]> pieces = new ArrayList<>();
    pieces.add(head(list.metadata()));
    for (Pod pod : list) {
      if (pieces.size() > 1) {
        pieces.add(COMMA);
      }
      pieces.add(json(pod));
    }
    pieces.add(END);
    return pieces;
  }

  /** Returns the text of a list up to its first pod. */
  private static byte[] head(ListMeta metadata) {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    JsonWriter out = JsonWriter.to(head);
    out.beginObject();
    out.field("apiVersion", Pod.TYPE.listKind().groupVersion().toString());
    out.field("kind", Pod.TYPE.listKind().kind());
    out.field("metadata", ListMeta.CODEC, metadata);
    out.name("items");
    out.beginArray();
    out.flush();
    return head.toByteArray();
  }

  /** Returns the number of bytes that it keeps. */
  long size() {
    lock.lock();
    try {
      return size;
    } finally {
      lock.unlock();
    }
  }
}
