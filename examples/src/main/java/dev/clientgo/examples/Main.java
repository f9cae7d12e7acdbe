package dev.clientgo.examples;

/** Runs a lesson by its name. */
public final class Main {
  private Main() {}

  /** Runs the lesson that the first argument names. */
  public static void main(String[] args) {
    System.out.println("hello " + args.length);
  }
}
