package dev.clientgo.examples.customresource;

import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.FooDefinition;
import dev.clientgo.examples.lesson.Lesson;
import dev.clientgo.rest.RESTClient;
import java.io.PrintWriter;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;

/** The lesson of a kind of our own. */
@Command(
    name = "custom-resource",
    description = "Creates, edits and deletes a Foo, with its status and a finalizer, and ends.")
public final class CustomResourceLesson extends Lesson {

  /** The command line parser calls this. */
  public CustomResourceLesson() {}

  @Override
  protected void run(Cluster cluster, RESTClient client, PrintWriter out)
      throws InterruptedException, TimeoutException {
    FooDefinition.require(cluster, client);
    new FooLife(client, "default", out).run("example");
  }
}
