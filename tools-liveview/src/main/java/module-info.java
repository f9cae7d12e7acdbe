/**
 * The live view: a page that shows running informers and work queues, stage by stage.
 *
 * <p>client-go has nothing like it.
 */
@org.jspecify.annotations.NullMarked
module dev.clientgo.liveview {
  requires static com.google.errorprone.annotations;
  requires jdk.httpserver;
  requires transitive dev.clientgo.cache;
  requires transitive dev.clientgo.workqueue;

  exports dev.clientgo.liveview;
}
