package dev.clientgo.leaderelection;

import java.util.function.Consumer;

/**
 * The functions of a program that an elector calls.
 *
 * <p>Corresponds to client-go's {@code leaderelection.LeaderCallbacks}.
 */
record LeaderCallbacks(
    LeadershipTerm.Work onStartedLeading,
    Runnable onStoppedLeading,
    Consumer<String> onNewLeader) {}
