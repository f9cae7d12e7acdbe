package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pod", "0.log")
	log, err := openLog(path)
	if err != nil {
		t.Fatal(err)
	}
	writer := &lineWriter{log: log, stream: "stdout"}
	for _, each := range []string{"one\ntw", "o\n\n", strings.Repeat("x", longestLine+1), "\nrest"} {
		writer.write([]byte(each))
	}
	writer.end()
	log.close()
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got := regexp.MustCompile(`(?m)^\S+Z stdout`).ReplaceAllString(string(written), "-")
	want := "- F one\n- F two\n- F \n- P " + strings.Repeat("x", longestLine) + "\n- F x\n- P rest\n"
	if got != want {
		t.Errorf("got %q", got)
	}
}
