package dev.clientgo.cache;

import java.time.Duration;

/**
 * What a Reflector does next.
 *
 * @param state the state that it enters
 * @param pause how long it waits before, because something went wrong; zero if nothing did
 */
record NextStep(Reflector.State state, Duration pause) {

  static NextStep now(Reflector.State state) {
    return new NextStep(state, Duration.ZERO);
  }

  static NextStep after(Duration pause, Reflector.State state) {
    return new NextStep(state, pause);
  }
}
