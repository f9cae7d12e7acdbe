/**
 * YAML as Kubernetes reads and writes it.
 *
 * <p>Kubernetes converts YAML to JSON before it looks at it, and so does this package: {@link
 * dev.clientgo.apimachinery.yaml.YamlReader} reads documents as trees of maps, lists, strings,
 * numbers and booleans, or with the codec of a type; {@link
 * dev.clientgo.apimachinery.yaml.YamlWriter} prints them as {@code kubectl get -o yaml} does,
 * {@link dev.clientgo.apimachinery.yaml.KyamlWriter} as {@code -o kyaml}.
 *
 * <pre>{@code
 * List<Unstructured> objects = YamlReader.of("deploy.yaml").read(text, Unstructured.CODEC);
 * String printed = YamlWriter.format(Unstructured.CODEC, objects.get(0));
 * }</pre>
 *
 * <p>Corresponds to {@code sigs.k8s.io/yaml} and {@code k8s.io/apimachinery/pkg/util/yaml}.
 */
package dev.clientgo.apimachinery.yaml;
