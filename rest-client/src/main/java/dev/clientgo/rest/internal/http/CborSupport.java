package dev.clientgo.rest.internal.http;

import dev.clientgo.rest.config.RestConfig;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether a client reads and sends CBOR. It sends none after the server has refused it once.
 *
 * <p>Corresponds to client-go's {@code rest.requestClientContentConfigProvider}. Safe for use by
 * many threads.
 */
public final class CborSupport {

  private static final Logger LOG = System.getLogger("dev.clientgo.rest.Request");

  private static final String ALLOW = "KUBE_FEATURE_ClientsAllowCBOR";
  private static final String PREFER = "KUBE_FEATURE_ClientsPreferCBOR";

  private final RestConfig.CborMode mode;
  private volatile boolean refused;

  private CborSupport(RestConfig.CborMode mode) {
    this.mode = mode;
  }

  /** Returns the support that a configuration asks for; if it does not, the environment decides. */
  public static CborSupport of(
      RestConfig.@Nullable CborMode configured, Map<String, String> environment) {
    return new CborSupport(configured == null ? ofGates(environment) : configured);
  }

  private static RestConfig.CborMode ofGates(Map<String, String> environment) {
    if (!isOn(ALLOW, environment)) {
      return RestConfig.CborMode.OFF;
    }
    return isOn(PREFER, environment) ? RestConfig.CborMode.PREFER : RestConfig.CborMode.ALLOW;
  }

  private static boolean isOn(String gate, Map<String, String> environment) {
    String value = environment.getOrDefault(gate, "false");
    return switch (value) {
      case "1", "t", "T", "true", "TRUE", "True" -> true;
      case "0", "f", "F", "false", "FALSE", "False" -> false;
      default -> {
        LOG.log(
            Level.WARNING,
            "A gate counts as false, it is neither true nor false: name={0} value={1}",
            gate,
            value);
        yield false;
      }
    };
  }

  /** Returns whether responses in CBOR are read. */
  public boolean isRead() {
    return mode != RestConfig.CborMode.OFF;
  }

  /** Returns whether objects are sent in CBOR. */
  public boolean isSent() {
    return mode == RestConfig.CborMode.PREFER && !refused;
  }

  /** Records that the server does not take CBOR. */
  public void refused() {
    if (!refused) {
      LOG.log(Level.DEBUG, "The server does not take CBOR, from now on objects are sent in JSON");
    }
    refused = true;
  }
}
