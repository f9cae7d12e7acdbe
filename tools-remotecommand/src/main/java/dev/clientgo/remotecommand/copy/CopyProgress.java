package dev.clientgo.remotecommand.copy;

/**
 * How far a copy is. Immutable. After a cut, the numbers may go back.
 *
 * @param file the path of the file that is being copied, relative to the copied tree; the name of
 *     the file if it is copied alone
 * @param fileBytes how many of its bytes are copied
 * @param fileSize how many bytes it has
 * @param files how many files are complete
 * @param bytes how many bytes of all files are copied
 */
public record CopyProgress(String file, long fileBytes, long fileSize, long files, long bytes) {}
