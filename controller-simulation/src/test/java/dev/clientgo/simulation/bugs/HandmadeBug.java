package dev.clientgo.simulation.bugs;

import dev.clientgo.simulation.ControllerSetup;

/** A bug of a controller by hand, on informers, listers and a queue. */
abstract class HandmadeBug extends BugAndTwin {

  abstract void bug(Handmade controller) throws Exception;

  abstract void twin(Handmade controller) throws Exception;

  @Override
  ControllerSetup buggy() {
    return setup(this::bug);
  }

  @Override
  ControllerSetup correct() {
    return setup(this::twin);
  }

  /** Sees to the shops and their secrets. */
  private interface Worker {
    void work(Handmade controller) throws Exception;
  }

  private static ControllerSetup setup(Worker worker) {
    return process -> {
      Handmade controller = new Handmade(process);
      controller.start(name -> worker.work(controller));
    };
  }
}
