package dev.clientgo.gen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.gen.internal.document.Documents;
import dev.clientgo.gen.internal.document.Node;
import dev.clientgo.gen.internal.schema.Catalog;
import dev.clientgo.gen.internal.schema.GoTypes;
import dev.clientgo.gen.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GoTypesTest {

  @TempDir Path folder;

  private final Catalog catalog = new Catalog(new Report.Builder());

  @Test
  void addTo_fieldsOfStructs_haveNumbersAndSayWhatZeroIs() throws IOException {
    Path types = folder.resolve("api/sea/v1/types.go");
    Files.createDirectories(types.getParent());
    Files.writeString(
        types,
        """
        package v1

        // Ship sails.
        type Ship struct {
        \tmetav1.TypeMeta `json:",inline"`
        \t// Its name.
        \tName string `json:"name" protobuf:"bytes,1,opt,name=name"`
        \tMasts int32 `json:"masts,omitempty" protobuf:"varint,2,opt,name=masts"`
        \tCrew *int32 `json:"crew,omitempty" protobuf:"varint,3,opt,name=crew"`
        \tCargo []string `json:"cargo,omitempty" protobuf:"bytes,4,rep,name=cargo"`
        \tHull `json:",inline" protobuf:"bytes,5,opt,name=hull"`
        }

        type Hull struct {
        \tLength int64 `json:"length" protobuf:"varint,1,opt,name=length"`
        }
        """);
    Node type =
        addTo(
            "{\"properties\": {\"name\": {}, \"masts\": {}, \"crew\": {}, \"cargo\": {},"
                + " \"length\": {}}}");

    assertThat(type.toJson())
        .isEqualTo(
            "{\"properties\":{\"name\":{\"protobuf\":1},\"masts\":{\"protobuf\":2,\"omitempty\":true},"
                + "\"crew\":{\"protobuf\":3},\"cargo\":{\"protobuf\":4},\"length\":{\"protobuf\":[5,1]}}}");
  }

  @Test
  void addTo_namedStrings_areReferredTo() throws IOException {
    Path types = folder.resolve("api/sea/v1/types.go");
    Files.createDirectories(types.getParent());
    Files.writeString(
        types,
        """
        package v1

        type Rig string

        const (
        \tSloop Rig = "Sloop" // one mast
        \tKetch Rig = "Ketch"
        )

        type Name string

        type Ship struct {
        \tRig Rig `json:"rig" protobuf:"bytes,1,opt,name=rig"`
        \tRigs []Rig `json:"rigs" protobuf:"bytes,2,rep,name=rigs"`
        \tByName map[Name]Rig `json:"byName" protobuf:"bytes,3,rep,name=byName"`
        \tName Name `json:"name" protobuf:"bytes,4,opt,name=name"`
        }
        """);
    String rig = "{\"type\":\"string\",\"enum\":[\"Ketch\",\"Sloop\"]}";

    Node type =
        addTo(
            "{\"properties\": {\"rig\": %1$s, \"rigs\": {\"items\": %1$s}, \"byName\": {\"additionalProperties\": %1$s}, \"name\": {\"type\": \"string\"}}}"
                .formatted(rig));

    String reference = "\"$ref\":\"io.k8s.api.sea.v1.Rig\"";
    assertThat(type.toJson())
        .contains(
            "\"rig\":{\"protobuf\":1," + reference + "}",
            "\"rigs\":{\"items\":{" + reference + "}",
            "\"byName\":{\"additionalProperties\":{" + reference + "}",
            "\"name\":{\"type\":\"string\",\"protobuf\":4}");
    Node named = catalog.type("io.k8s.api.sea.v1.Rig");
    assertThat(named).isNotNull();
    assertThat(named.toJson()).isEqualTo(rig);
  }

  /** Go has the structs that name kinds and resources in a file of another name. */
  @Test
  void addTo_structOfGroupVersion_hasNumbers() throws IOException {
    Path types = folder.resolve("api/sea/v1/group_version.go");
    Files.createDirectories(types.getParent());
    Files.writeString(
        types,
        """
        package v1

        type Ship struct {
        \tGroup string `json:"group" protobuf:"bytes,1,opt,name=group"`
        }
        """);

    Node type = addTo("{\"properties\": {\"group\": {}}}");

    assertThat(type.toJson()).isEqualTo("{\"properties\":{\"group\":{\"protobuf\":1}}}");
  }

  private Node addTo(String ship) throws IOException {
    Documents documents = new Documents(problem -> {});
    documents.text("ship", ship);
    Node type = documents.roots().get(0);
    catalog.addType("io.k8s.api.sea.v1.Ship", type);
    catalog.addOtherKind("io.k8s.api.sea.v1.Ship");
    GoTypes.read(folder).addTo(catalog);
    return type;
  }
}
