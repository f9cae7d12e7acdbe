/**
 * The live view: a page that shows running informers and work queues, stage by stage.
 *
 * <p>{@link dev.clientgo.liveview.LiveView} serves the page with the JDK's HTTP server. Its
 * observers go into the builders of informers and queues:
 *
 * <pre>{@code
 * LiveView view = LiveView.start(); // http://127.0.0.1, a free port, read-only
 * SharedIndexInformer<Pod> pods =
 *     SharedIndexInformer.builder(ListWatch.of(client::list, client::watch))
 *         .observer(view.informer(Pod.TYPE))
 *         .build();
 * QueueConfig config = QueueConfig.builder().observer(view.queue("pods")).build();
 * }</pre>
 */
package dev.clientgo.liveview;
