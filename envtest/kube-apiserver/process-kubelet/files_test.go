package main

import (
	"os"
	"path/filepath"
	"testing"

	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
)

func TestTranslate(t *testing.T) {
	f := newFiles(namespace{}, "", []*runtimeapi.Mount{
		{ContainerPath: "/data", HostPath: "/h/w"},
		{ContainerPath: "/data/deep", HostPath: "/h/d"},
		{ContainerPath: "/etc/conf.d/", HostPath: "/h/c"},
		{ContainerPath: "/etc/hosts", HostPath: "/h/hosts"},
	})
	for text, want := range map[string]string{
		"/data":                         "/h/w",
		"/data/file":                    "/h/w/file",
		"/data/deep/file":               "/h/d/file",
		"cat /data/a /data/b":           "cat /h/w/a /h/w/b",
		"cat /data /data":               "cat /h/w /h/w",
		"--config=/etc/conf.d/x.yaml":   "--config=/h/c/x.yaml",
		"/data:/etc/conf.d":             "/h/w:/h/c",
		"echo x >/data/file;cat /data/": "echo x >/h/w/file;cat /h/w/",
		"/datashop /data.txt /data-x":   "/datashop /data.txt /data-x",
		"/home/data ./data a/data/b":    "/home/data ./data a/data/b",
		"/data/data /data/sub/data":     "/h/w/data /h/w/sub/data",
		"/etc/hosts":                    "/etc/hosts",
		"":                              "",
	} {
		if got := f.translate(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestTranslateWithoutVolumes(t *testing.T) {
	if got := newFiles(namespace{}, "", nil).translate("/data"); got != "/data" {
		t.Errorf("got %q", got)
	}
}

func TestFolder(t *testing.T) {
	own, volume := t.TempDir(), t.TempDir()
	f := newFiles(namespace{}, "", []*runtimeapi.Mount{{ContainerPath: "/volume", HostPath: volume}})
	if err := os.Mkdir(filepath.Join(volume, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for dataing, want := range map[string]string{
		"":                own,
		"/":               own,
		"/volume/sub":     filepath.Join(volume, "sub"),
		"/no/such/folder": own,
		filepath.Dir(own): filepath.Dir(own),
	} {
		if got := f.folder(dataing, own); got != want {
			t.Errorf("%q is at %q, want %q", dataing, got, want)
		}
	}
}
