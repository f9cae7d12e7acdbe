package dev.clientgo.controller;

import dev.clientgo.controller.internal.http.HttpEndpoints.Page;
import java.util.Map;

/** Writes the texts of the pages that a manager serves over HTTP. */
final class ManagerPages {

  private static final String TEXT = "text/plain; charset=utf-8";

  private ManagerPages() {}

  /** Runs the checks: 200 if all pass, otherwise 500; a line for each either way. */
  @SuppressWarnings("InterruptedExceptionSwallowed") // Of a check: a failure like any other.
  static Page health(Map<String, HealthCheck> checks) {
    StringBuilder text = new StringBuilder();
    boolean well = true;
    for (Map.Entry<String, HealthCheck> check : checks.entrySet()) {
      try {
        check.getValue().check();
        text.append("[+]").append(check.getKey()).append(" ok\n");
      } catch (Exception e) {
        well = false;
        text.append("[-]").append(check.getKey()).append(" failed: ");
        text.append(e.getMessage() == null ? e.toString() : e.getMessage()).append('\n');
      }
    }
    text.append(well ? "ok\n" : "check failed\n");
    return new Page(well ? 200 : 500, TEXT, text.toString());
  }
}
