package dev.clientgo.envtest;

import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.wait.Poll;
import dev.clientgo.apimachinery.yaml.YamlReader;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Installs definitions of custom resources and waits until the server serves them. */
final class CrdInstaller {

  private static final ResourceType<Unstructured> DEFINITIONS =
      Unstructured.type(
          new GroupVersionKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition"),
          "customresourcedefinitions",
          false);

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final RESTClient client;
  private final ResourceClient<Unstructured> definitions;

  CrdInstaller(RESTClient client) {
    this.client = client;
    this.definitions = client.resource(DEFINITIONS);
  }

  void install(List<Path> paths) throws InterruptedException {
    List<Unstructured> read = new ArrayList<>();
    for (Path path : paths) {
      for (Path file : files(path)) {
        read.addAll(read(file));
      }
    }
    for (Unstructured definition : read) {
      create(definition);
    }
    for (Unstructured definition : read) {
      awaitServed(definition);
    }
  }

  /** Returns the file itself, or the YAML and JSON files of a folder. */
  private static List<Path> files(Path path) {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    try (Stream<Path> entries = Files.list(path)) {
      List<Path> files =
          entries.filter(entry -> entry.toString().matches(".*\\.(ya?ml|json)")).sorted().toList();
      if (files.isEmpty()) {
        throw new IllegalArgumentException(
            path.toAbsolutePath() + " has no YAML or JSON file: name a folder with definitions");
      }
      return files;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + path.toAbsolutePath(), e);
    }
  }

  private static List<Unstructured> read(Path file) {
    List<Unstructured> objects;
    try {
      objects = YamlReader.of(file.toString()).read(Files.readString(file), Unstructured.CODEC);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file.toAbsolutePath(), e);
    }
    for (Unstructured object : objects) {
      if (!object.kind().equals("CustomResourceDefinition")) {
        throw new IllegalArgumentException(
            file
                + " has a "
                + object.kind()
                + ": only definitions of custom resources are installed");
      }
    }
    return objects;
  }

  private void create(Unstructured definition) throws InterruptedException {
    try {
      definitions.create(definition);
    } catch (ApiStatusException e) {
      if (!e.isAlreadyExists()) {
        throw e;
      }
      String name = String.valueOf(definition.metadata().name());
      definitions.edit(name, present -> definition.withMetadata(present.metadata()));
    }
  }

  private void awaitServed(Unstructured definition) throws InterruptedException {
    String name = String.valueOf(definition.metadata().name());
    try {
      definitions.await(name, CrdInstaller::isEstablished, TIMEOUT);
      for (GroupVersionResource resource : served(definition)) {
        Poll.every(Duration.ofMillis(50))
            .immediately()
            .atMost(TIMEOUT)
            .until(() -> isServed(resource));
      }
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          name + " is not served after " + TIMEOUT.toSeconds() + " s: " + conditions(name), e);
    }
  }

  private static boolean isEstablished(Optional<Unstructured> definition) {
    return definition.stream()
        .flatMap(found -> found.nestedList("status", "conditions").stream())
        .flatMap(List::stream)
        .anyMatch(
            condition ->
                condition instanceof Map<?, ?> map
                    && "Established".equals(map.get("type"))
                    && "True".equals(map.get("status")));
  }

  private static List<GroupVersionResource> served(Unstructured definition) {
    String group = definition.nestedString("spec", "group").orElse("");
    String plural = definition.nestedString("spec", "names", "plural").orElse("");
    return definition.nestedList("spec", "versions").stream()
        .flatMap(List::stream)
        .filter(
            version -> version instanceof Map<?, ?> map && Boolean.TRUE.equals(map.get("served")))
        .map(version -> String.valueOf(((Map<?, ?>) version).get("name")))
        .map(version -> new GroupVersionResource(group, version, plural))
        .toList();
  }

  private boolean isServed(GroupVersionResource resource) throws InterruptedException {
    try {
      client.dynamic(resource).list();
      return true;
    } catch (ApiStatusException e) {
      if (e.isNotFound()) {
        return false;
      }
      throw e;
    }
  }

  private String conditions(String name) throws InterruptedException {
    return definitions
        .find(name)
        .flatMap(definition -> definition.nestedList("status", "conditions"))
        .map(String::valueOf)
        .orElse("it has no conditions");
  }
}
