package dev.clientgo.remotecommand.copy;

/** Decides how a copy treats symbolic links. */
public enum SymbolicLinks {
  /**
   * Copies links as links. A link that leads out of the copied tree ends the copy with a {@link
   * CopyException}: an absolute one, one with too many {@code ..}, and one with {@code ..} after a
   * name, because that name may be a link itself.
   */
  KEEP,

  /** Copies no links. {@link CopyResult#skipped} names them. */
  SKIP,

  /** Copies the files and directories that the links lead to, wherever they are. */
  FOLLOW
}
