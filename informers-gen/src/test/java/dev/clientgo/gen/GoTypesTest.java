package dev.clientgo.gen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GoTypesTest {

  @TempDir Path folder;

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
    Documents documents = new Documents(problem -> {});
    documents.text(
        "ship", "{\"name\": {}, \"masts\": {}, \"crew\": {}, \"cargo\": {}, \"length\": {}}");
    Node properties = documents.roots().get(0);

    GoTypes.read(folder).addTo("io.k8s.api.sea.v1.Ship", properties);

    assertThat(properties.toJson())
        .isEqualTo(
            "{\"name\":{\"protobuf\":1},\"masts\":{\"protobuf\":2,\"omitempty\":true},"
                + "\"crew\":{\"protobuf\":3},\"cargo\":{\"protobuf\":4},\"length\":{\"protobuf\":[5,1]}}");
  }
}
