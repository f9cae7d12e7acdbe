package dev.clientgo.envtest;

/** Which objects of a kind are asked for. */
record Selection() {

  static Selection of(ApiRequest request, Resource.Version version) {
    return new Selection();
  }

  boolean matches(Stored object) {
    return true;
  }

  boolean isEverything() {
    return true;
  }
}
