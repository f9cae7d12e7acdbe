package dev.clientgo.envtest.internal.kubelet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * The headers of one SPDY/3.1 connection, which are compressed with the protocol's dictionary. Not
 * safe for use by many threads.
 */
final class SpdyHeaders implements AutoCloseable {

  /** The words of the dictionary that have a length before them. */
  private static final String WORDS =
      "options,head,post,put,delete,trace,accept,accept-charset,accept-encoding,accept-language,"
          + "accept-ranges,age,allow,authorization,cache-control,connection,content-base,"
          + "content-encoding,content-language,content-length,content-location,content-md5,"
          + "content-range,content-type,date,etag,expect,expires,from,host,if-match,"
          + "if-modified-since,if-none-match,if-range,if-unmodified-since,last-modified,location,"
          + "max-forwards,pragma,proxy-authenticate,proxy-authorization,range,referer,retry-after,"
          + "server,te,trailer,transfer-encoding,upgrade,user-agent,vary,via,warning,"
          + "www-authenticate,method,get,status,200 OK,version,HTTP/1.1,url,public,set-cookie,"
          + "keep-alive,origin";

  private static final String REST =
      "100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505"
          + "203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request"
          + "401 Unauthorized403 Forbidden404 Not Found500 Internal Server Error501 Not Implemented"
          + "503 Service UnavailableJan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, "
          + "Tue, Wed, Thu, Fri, Sat, Sun, GMTchunked,text/html,image/png,image/jpg,image/gif,"
          + "application/xml,application/xhtml+xml,text/plain,text/javascript,publicprivatemax-age="
          + "gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.";

  private static final byte[] DICTIONARY = dictionary();

  private static final int MAX_HEADERS = 64 * 1024;

  private final Inflater inflater = new Inflater();
  private final Deflater deflater = new Deflater();

  SpdyHeaders() {
    deflater.setDictionary(DICTIONARY);
  }

  private static byte[] dictionary() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String word : WORDS.split(",", -1)) {
      bytes.writeBytes(ByteBuffer.allocate(4).putInt(word.length()).array());
      bytes.writeBytes(word.getBytes(ISO_8859_1));
    }
    bytes.writeBytes(REST.getBytes(ISO_8859_1));
    return bytes.toByteArray();
  }

  /** Reads a block of headers. */
  Map<String, String> read(byte[] compressed) throws ProtocolException {
    ByteBuffer block = ByteBuffer.wrap(inflate(compressed));
    Map<String, String> headers = new TreeMap<>();
    try {
      for (int left = block.getInt(); left > 0; left--) {
        String name = text(block);
        headers.put(name, text(block));
      }
      return headers;
    } catch (RuntimeException e) {
      throw new ProtocolException("a block of headers is malformed");
    }
  }

  private static String text(ByteBuffer block) {
    byte[] bytes = new byte[Math.min(block.getInt(), MAX_HEADERS)];
    block.get(bytes);
    return new String(bytes, ISO_8859_1);
  }

  private byte[] inflate(byte[] compressed) throws ProtocolException {
    inflater.setInput(compressed);
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    byte[] buffer = new byte[4096];
    try {
      while (true) {
        int count = inflater.inflate(buffer);
        block.write(buffer, 0, count);
        if (block.size() > MAX_HEADERS) {
          throw new ProtocolException("a block of headers is too long");
        }
        if (inflater.needsDictionary()) {
          inflater.setDictionary(DICTIONARY);
        } else if (count == 0) {
          return block.toByteArray();
        }
      }
    } catch (DataFormatException | IllegalArgumentException e) {
      throw new ProtocolException("a block of headers is not compressed as SPDY wants it: " + e);
    }
  }

  /** Writes a block of headers. */
  byte[] write(Map<String, String> headers) throws IOException {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(plain);
    out.writeInt(headers.size());
    for (Map.Entry<String, String> header : headers.entrySet()) {
      out.writeInt(header.getKey().length());
      out.writeBytes(header.getKey());
      out.writeInt(header.getValue().length());
      out.writeBytes(header.getValue());
    }
    deflater.setInput(plain.toByteArray());
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    byte[] buffer = new byte[4096];
    int count;
    do {
      count = deflater.deflate(buffer, 0, buffer.length, Deflater.SYNC_FLUSH);
      compressed.write(buffer, 0, count);
    } while (count == buffer.length);
    return compressed.toByteArray();
  }

  @Override
  public void close() {
    inflater.end();
    deflater.end();
  }
}
