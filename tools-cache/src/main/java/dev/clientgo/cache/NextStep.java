package dev.clientgo.cache;

/**
 * What a Reflector does next.
 *
 * @param state the state that it enters
 * @param afterPause whether it waits before, because something went wrong
 */
record NextStep(Reflector.State state, boolean afterPause) {

  static NextStep now(Reflector.State state) {
    return new NextStep(state, false);
  }

  static NextStep afterPause(Reflector.State state) {
    return new NextStep(state, true);
  }
}
