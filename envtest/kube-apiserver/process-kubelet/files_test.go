package main

import (
	"os"
	"path/filepath"
	"testing"

	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
)

func TestTranslate(t *testing.T) {
	f := newFiles(namespace{}, "", []*runtimeapi.Mount{
		{ContainerPath: "/work", HostPath: "/h/w"},
		{ContainerPath: "/work/deep", HostPath: "/h/d"},
		{ContainerPath: "/etc/conf.d/", HostPath: "/h/c"},
		{ContainerPath: "/etc/hosts", HostPath: "/h/hosts"},
	})
	for text, want := range map[string]string{
		"/work":                         "/h/w",
		"/work/file":                    "/h/w/file",
		"/work/deep/file":               "/h/d/file",
		"cat /work/a /work/b":           "cat /h/w/a /h/w/b",
		"cat /work /work":               "cat /h/w /h/w",
		"--config=/etc/conf.d/x.yaml":   "--config=/h/c/x.yaml",
		"/work:/etc/conf.d":             "/h/w:/h/c",
		"echo x >/work/file;cat /work/": "echo x >/h/w/file;cat /h/w/",
		"/workshop /work.txt /work-x":   "/workshop /work.txt /work-x",
		"/home/work ./work a/work/b":    "/home/work ./work a/work/b",
		"/work/work /work/sub/work":     "/h/w/work /h/w/sub/work",
		"/etc/hosts":                    "/etc/hosts",
		"":                              "",
	} {
		if got := f.translate(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestTranslateWithoutVolumes(t *testing.T) {
	if got := newFiles(namespace{}, "", nil).translate("/work"); got != "/work" {
		t.Errorf("got %q", got)
	}
}

func TestFolder(t *testing.T) {
	own, volume := t.TempDir(), t.TempDir()
	f := newFiles(namespace{}, "", []*runtimeapi.Mount{{ContainerPath: "/volume", HostPath: volume}})
	if err := os.Mkdir(filepath.Join(volume, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for working, want := range map[string]string{
		"":                own,
		"/":               own,
		"/volume/sub":     filepath.Join(volume, "sub"),
		"/no/such/folder": own,
		filepath.Dir(own): filepath.Dir(own),
	} {
		if got := f.folder(working, own); got != want {
			t.Errorf("%q is at %q, want %q", working, got, want)
		}
	}
}
