package dev.clientgo.apimachinery.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.json.PieceStream;
import dev.clientgo.apimachinery.json.RawJson;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.Condition;
import dev.clientgo.apimachinery.meta.LabelSelector;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.serializer.ListDecoder;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.status.Status;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.WatchDecoder;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The JSON reader and its decoders. Texts have {@code '} instead of {@code "}. */
@Timeout(value = 1, unit = TimeUnit.DAYS)
final class DecoderFuzzTest {

  private static final Set<Class<? extends RuntimeException>> CODEC = Set.of(CodecException.class);

  private static final String OBJECT =
      "{'apiVersion':'apps/v1','kind':'Ship','metadata':{'name':'x','namespace':'n','generation':3,"
          + "'creationTimestamp':'2026-01-02T03:04:05Z','labels':{'a':'b','é':'\\u00e9'},"
          + "'ownerReferences':[{'apiVersion':'v1','kind':'Fleet','name':'f','uid':'u',"
          + "'controller':true}],'finalizers':['a/b'],'managedFields':[{'manager':'m','operation':"
          + "'Update','apiVersion':'v1','time':'2026-01-02T03:04:05Z','fieldsType':'FieldsV1',"
          + "'fieldsV1':{'f:spec':{}}}]},'spec':{'a':[1,-2.5e3,true,null,'\\ud83d\\ude00\\n']}}";

  private static final String SELECTOR =
      "{'matchLabels':{'a':'b'},'matchExpressions':[{'key':'k','operator':'In','values':['v']},"
          + "{'key':'l','operator':'Exists'}]}";

  private static final String STATUS =
      "{'kind':'Status','apiVersion':'v1','metadata':{'resourceVersion':'4','continue':'c',"
          + "'remainingItemCount':7},'status':'Failure','message':'m','reason':'Invalid',"
          + "'details':{'name':'n','kind':'k','causes':[{'reason':'r','message':'m','field':'f'}],"
          + "'retryAfterSeconds':5},'code':422}";

  private static final String CONDITION =
      "{'type':'Ready','status':'True','observedGeneration':4,'reason':'R','message':'',"
          + "'lastTransitionTime':'2026-01-02T03:04:05Z'}";

  private static final String STREAM =
      "{'type':'ADDED','object':"
          + OBJECT
          + "}\n{'object':"
          + OBJECT
          + ",'type':'DELETED'}"
          + "{'type':'BOOKMARK','object':{'metadata':{'resourceVersion':'7','annotations':{"
          + "'k8s.io/initial-events-end':'true'}}}}{'type':'ERROR','object':"
          + STATUS
          + "}";

  private static final String LIST =
      "{'kind':'ShipList','apiVersion':'apps/v1','metadata':{'resourceVersion':'5','continue':'c'},"
          + "'items':["
          + OBJECT
          + ","
          + OBJECT
          + "]}";

  /** The codecs of this library can read the text that they write for each value. */
  @Test
  void codecs_anyTree_isReadOrRefused() {
    TreeMutator trees = new TreeMutator(OBJECT, SELECTOR, STATUS, CONDITION);
    List<JsonCodec<?>> codecs =
        List.of(
            Unstructured.CODEC,
            ObjectMeta.CODEC,
            ListMeta.CODEC,
            LabelSelector.CODEC,
            Status.CODEC,
            Condition.CODEC);
    Fuzzer.fuzz(
        "codecs",
        random -> {
          Object tree = trees.apply(random);
          @Nullable Object part =
              tree instanceof java.util.Map<?, ?> map && random.nextBoolean()
                  ? map.get("metadata")
                  : tree;
          return new Encoded(
              codecs.get(random.nextInt(codecs.size())), RawJson.of(new String(json(part), UTF_8)));
        },
        Encoded::readTwice,
        CODEC);
  }

  private record Encoded(JsonCodec<?> codec, RawJson json) {

    void readTwice() {
      check(codec);
    }

    private <T> void check(JsonCodec<T> codec) {
      T value = JsonReader.fromBytes(codec, json.toByteArray());
      byte[] written = JsonWriter.toBytes(codec, value);
      T again = JsonReader.fromBytes(codec, written);
      assertThat(again).isEqualTo(value);
      assertThat(JsonWriter.toBytes(codec, again)).isEqualTo(written);
    }

    @Override
    public String toString() {
      return codec.getClass().getName() + " " + json;
    }
  }

  @Test
  void labelSelectorOfAnObject_anyTree_isConvertedOrRefused() {
    TreeMutator trees =
        new TreeMutator(SELECTOR, "{'matchExpressions':[{'key':'a/b','operator':'NotIn'}]}");
    Fuzzer.fuzz(
        "label selector of an object",
        trees,
        tree -> {
          LabelSelector read = JsonReader.fromBytes(LabelSelector.CODEC, json(tree));
          Selector selector = Selector.of(read);
          assertThat(Selector.parse(selector.toString())).isEqualTo(selector);
          assertThat(Selector.of(selector.toLabelSelector())).hasToString(selector.toString());
        },
        Set.of(CodecException.class, IllegalArgumentException.class));
  }

  @Test
  void list_anyBytes_isReadOrRefused() {
    Fuzzer.fuzz(
        "list",
        bytes(LIST),
        json -> {
          List<String> whole = new ArrayList<>();
          List<String> pieces = new ArrayList<>();
          @Nullable CodecException error = readList(new ByteArrayInputStream(json), whole);
          @Nullable CodecException other = readList(PieceStream.bytewise(json), pieces);
          assertThat(pieces).isEqualTo(whole);
          assertThat(String.valueOf(other)).isEqualTo(String.valueOf(error));
          if (error != null) {
            throw error;
          }
        },
        CODEC);
  }

  private static @Nullable CodecException readList(InputStream in, List<String> items) {
    try {
      ListMeta metadata =
          ListDecoder.read(
              JsonReader.of(in, DecodeContext.create()),
              Unstructured.CODEC,
              new ListSink<Unstructured>() {
                @Override
                public void accept(Unstructured item) {
                  items.add(item.toString());
                }

                @Override
                public void undecodable(CodecException error) {
                  items.add(error.getMessage());
                }
              });
      items.add(metadata.toString());
      return null;
    } catch (CodecException e) {
      return e;
    }
  }

  @Test
  void watch_anyBytesInAnyPieces_givesTheSameEvents() {
    Fuzzer.fuzz(
        "watch",
        bytes(STREAM),
        json -> {
          List<String> whole = readWatch(new ByteArrayInputStream(json));
          assertThat(readWatch(PieceStream.atRandom(json, new Random(json.length))))
              .isEqualTo(whole);
          assertThat(whole).hasSizeLessThanOrEqualTo(json.length + 1);
          if (whole.stream()
              .anyMatch(event -> event.startsWith("Failed[error=" + CODEC_EXCEPTION))) {
            throw CodecException.mismatch("counts as refused", "", 0, null);
          }
        },
        CODEC);
  }

  private static final String CODEC_EXCEPTION = CodecException.class.getName();

  private static List<String> readWatch(InputStream in) {
    List<String> events = new ArrayList<>();
    WatchDecoder<Unstructured> decoder =
        WatchDecoder.json(in, Unstructured.CODEC, DecodeContext.create());
    try {
      Optional<WatchEvent<Unstructured>> next = decoder.next();
      while (next.isPresent()) {
        events.add(next.get().toString());
        next = decoder.next();
      }
      assertThat(decoder.next()).isEmpty();
    } catch (EOFException e) {
      events.add(e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return events;
  }

  /** Texts like these, of which some bytes are then changed. */
  private static Function<Random, byte[]> bytes(String... corpus) {
    TextMutator texts =
        new TextMutator(
            Arrays.stream(corpus).map(text -> text.replace('\'', '"')).toArray(String[]::new));
    return random -> {
      byte[] bytes = texts.apply(random).getBytes(UTF_8);
      for (int i = random.nextInt(8) - 5; i > 0 && bytes.length > 0; i--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      return bytes;
    };
  }

  private static byte[] json(@Nullable Object tree) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    JsonWriter out = JsonWriter.to(bytes);
    out.tree(tree);
    out.flush();
    return bytes.toByteArray();
  }
}
