package dev.clientgo.apimachinery.yaml;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.json.JsonReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** Builds trees from the events of a YAML text. A parser reads the text once. */
final class YamlParser {

  private static final int MAX_CODE_POINTS = 64 << 20;

  private final String origin;
  private final String text;
  private final boolean duplicateKeys;

  /** The place of each value by its RFC 6901 pointer; null if the caller does not need it. */
  private final @Nullable Map<String, YamlDocument.Position> positions;

  private final ParserImpl events;
  private final Map<Anchor, Anchored> anchors = new HashMap<>();
  private int document;
  private int values;
  private int depth;

  /** A value with a name, and how many values it is made of. Null while it is being read. */
  private record Anchored(@Nullable Object value, int size, boolean complete) {}

  YamlParser(String origin, String text, boolean duplicateKeys) {
    this(origin, text, duplicateKeys, null);
  }

  /** Creates a parser of the same text that records positions. */
  YamlParser(YamlParser other, Map<String, YamlDocument.Position> positions) {
    this(other.origin, other.text, other.duplicateKeys, positions);
  }

  private YamlParser(
      String origin,
      String text,
      boolean duplicateKeys,
      @Nullable Map<String, YamlDocument.Position> positions) {
    this.origin = origin;
    this.text = text;
    this.duplicateKeys = duplicateKeys;
    this.positions = positions;
    LoadSettings settings = LoadSettings.builder().setCodePointLimit(MAX_CODE_POINTS).build();
    this.events = new ParserImpl(settings, new StreamReader(settings, text));
  }

  /** Returns the documents that have content. */
  List<YamlDocument> documents() {
    List<YamlDocument> documents = new ArrayList<>();
    readAll(Integer.MAX_VALUE, documents);
    return documents;
  }

  /** Reads up to the document of that number. */
  void document(int number) {
    readAll(number, new ArrayList<>());
  }

  private void readAll(int last, List<YamlDocument> documents) {
    try {
      while (document < last && events.hasNext()) {
        if (events.next().getEventId() == Event.ID.DocumentStart) {
          readDocument(documents);
        }
      }
    } catch (MarkedYamlEngineException e) {
      String problem = e.getProblem() + ": correct the YAML there";
      throw error(e.getProblemMark(), Math.max(document, 1), problem);
    } catch (ReaderException e) {
      throw malformed(
          origin
              + ": the character U+"
              + String.format("%04X", e.getCodePoint())
              + " at position "
              + e.getPosition()
              + " may not stand in YAML: remove it, or write it as an escape in double quotes");
    } catch (YamlEngineException e) {
      throw malformed(origin + ": " + e.getMessage());
    }
  }

  private void readDocument(List<YamlDocument> documents) {
    document++;
    values = 0;
    anchors.clear();
    if (positions != null) {
      positions.clear();
    }
    Event root = events.next();
    Object tree = value(root, "");
    if (tree != null) {
      documents.add(new YamlDocument(this, position(root.getStartMark(), document), tree));
    }
  }

  private @Nullable Object value(Event event, String path) {
    if (positions != null) {
      positions.put(path, position(event.getStartMark(), document));
    }
    if (event instanceof AliasEvent alias) {
      return alias(alias);
    }
    count(event, 1);
    int before = values;
    Optional<Anchor> anchor = ((NodeEvent) event).getAnchor();
    anchor.ifPresent(name -> anchors.put(name, new Anchored(null, 0, false)));
    Object value;
    if (event instanceof ScalarEvent scalar) {
      value = scalar(scalar);
    } else {
      if (++depth > JsonReader.MAX_DEPTH) {
        throw error(event, "is nested deeper than " + JsonReader.MAX_DEPTH + " levels");
      }
      value = event instanceof SequenceStartEvent ? list(path) : map(path);
      depth--;
    }
    int size = values - before + 1;
    anchor.ifPresent(name -> anchors.put(name, new Anchored(value, size, true)));
    return value;
  }

  private @Nullable Object alias(AliasEvent alias) {
    Anchored anchored = anchors.get(alias.getAlias());
    if (anchored == null) {
      throw error(alias, "no anchor &" + alias.getAlias() + " stands before this alias: define it");
    } else if (!anchored.complete()) {
      throw error(alias, "the alias *" + alias.getAlias() + " stands within its own anchor");
    }
    count(alias, anchored.size());
    return anchored.value();
  }

  private void count(Event event, int more) {
    values += more;
    if (values > YamlReader.MAX_VALUES) {
      throw error(
          event,
          "the document has more than "
              + YamlReader.MAX_VALUES
              + " values, its aliases resolved: split it");
    }
  }

  private @Nullable Object scalar(ScalarEvent event) {
    try {
      return Scalars.value(event);
    } catch (IllegalArgumentException e) {
      throw error(event, String.valueOf(e.getMessage()));
    }
  }

  private List<@Nullable Object> list(String path) {
    List<@Nullable Object> list = new ArrayList<>();
    for (Event event = events.next();
        event.getEventId() != Event.ID.SequenceEnd;
        event = events.next()) {
      list.add(value(event, path + "/" + list.size()));
    }
    return Collections.unmodifiableList(list);
  }

  private Map<String, @Nullable Object> map(String path) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    Map<String, @Nullable Object> merged = new LinkedHashMap<>();
    Set<String> seen = new HashSet<>();
    for (Event event = events.next();
        event.getEventId() != Event.ID.MappingEnd;
        event = events.next()) {
      if (Scalars.isMerge(event)) {
        merge(events.next(), merged, path);
        continue;
      }
      String key = key(event);
      if (!seen.add(key) && !duplicateKeys) {
        throw error(event, "the key " + quote(key) + " is in this map already: remove one of them");
      }
      map.put(key, value(events.next(), path + "/" + escape(key)));
    }
    merged.forEach(map::putIfAbsent);
    return Collections.unmodifiableMap(map);
  }

  private String key(Event event) {
    if (event instanceof ScalarEvent || event instanceof AliasEvent) {
      Object key = event instanceof ScalarEvent scalar ? anchoredKey(scalar) : value(event, "");
      if (key instanceof String || key instanceof Boolean || key instanceof Number) {
        return key.toString();
      }
    }
    throw error(event, "a key must be a string, a number or a boolean");
  }

  private @Nullable Object anchoredKey(ScalarEvent event) {
    Object key = scalar(event);
    event.getAnchor().ifPresent(name -> anchors.put(name, new Anchored(key, 1, true)));
    return key;
  }

  private void merge(Event event, Map<String, @Nullable Object> merged, String path) {
    Object value = value(event, path + "/<<");
    List<?> maps = value instanceof List<?> list ? list : Collections.singletonList(value);
    for (Object each : maps) {
      if (!(each instanceof Map<?, ?> map)) {
        throw error(event, "<< merges maps, or a list of maps: give it one, or quote it");
      }
      map.forEach((key, part) -> merged.putIfAbsent((String) key, part));
    }
  }

  private static String escape(String key) {
    return key.replace("~", "~0").replace("/", "~1");
  }

  private static String quote(String key) {
    return '"' + (key.length() > 100 ? key.substring(0, 100) + "…" : key) + '"';
  }

  private YamlDocument.Position position(Optional<Mark> mark, int number) {
    return new YamlDocument.Position(
        origin,
        number,
        mark.map(at -> at.getLine() + 1).orElse(1),
        mark.map(at -> at.getColumn() + 1).orElse(1));
  }

  private CodecException error(Event event, String problem) {
    return error(event.getStartMark(), document, problem);
  }

  private CodecException error(Optional<Mark> mark, int number, String problem) {
    return malformed(position(mark, number) + ": " + problem);
  }

  private static CodecException malformed(String message) {
    return CodecException.malformed(message, "", -1, null);
  }
}
