package dev.clientgo.examples.customresource;

import dev.clientgo.apimachinery.meta.Finalizers;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.examples.generated.k8s.samplecontroller.v1alpha1.Foo;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** Creates, edits and deletes a Foo, and prints what the server makes of each step. */
final class FooLife {

  private static final String FINALIZER = "samplecontroller.k8s.io/tidy-up";

  private final ResourceClient<Foo> foos;
  private final PrintWriter out;

  FooLife(RESTClient client, String namespace, PrintWriter out) {
    this.foos = client.resource(Foo.TYPE).inNamespace(namespace);
    this.out = out;
  }

  void run(String name) throws InterruptedException, TimeoutException {
    Foo created =
        foos.create(
            Foo.of(
                foo ->
                    foo.editMetadata(m -> m.name(name).editFinalizers(list -> list.add(FINALIZER)))
                        .editSpec(s -> s.deploymentName(name).replicas(1))));
    tell("created", created);

    // An edit reads the object, applies the function, and sends a patch of what has changed. It
    // retries if another client was faster.
    tell("scaled", foos.edit(name, old -> old.with(foo -> foo.editSpec(s -> s.replicas(3)))));

    // The status has its own endpoint: this changes only the status.
    tell(
        "status set",
        foos.editStatus(name, old -> old.with(foo -> foo.editStatus(s -> s.availableReplicas(3)))));

    try {
      foos.edit(name, old -> old.with(foo -> foo.editSpec(s -> s.replicas(11))));
    } catch (ApiStatusException e) {
      out.println("refused: " + e.getMessage());
    }

    foos.delete(name);
    tell("deletion is held up by " + FINALIZER, foos.get(name));
    foos.edit(name, old -> Finalizers.remove(old, FINALIZER)); // The tidying up is done.
    foos.await(name, Optional::isEmpty, Duration.ofSeconds(30));
    out.println("gone: " + foos.find(name).isEmpty());
  }

  private void tell(String what, Foo foo) {
    out.printf(
        "%s: %s, generation %d, spec %s, status %s%n",
        what, foo.metadata().name(), foo.metadata().generation(), foo.spec(), foo.status());
  }
}
