package main

import (
	"context"
	"slices"
	"testing"

	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
)

func TestProgram(t *testing.T) {
	i := newImages()
	for _, option := range []string{`nginx=["web","-v"]`, `example.com:5000/app=["app"]`, `tool:2=["tool2"]`} {
		if err := i.setProgram(option); err != nil {
			t.Fatal(err)
		}
	}
	for image, want := range map[string][]string{
		"nginx":                            {"web", "-v"},
		"nginx:1.27":                       {"web", "-v"},
		"docker.io/library/nginx:1.27":     {"web", "-v"},
		"docker.io/library/nginx@sha256:0": {"web", "-v"},
		"example.com:5000/app":             {"app"},
		"example.com:5000/app:v1":          {"app"},
		"tool:2":                           {"tool2"},
		"tool:1":                           nil,
		"other/nginx":                      nil,
	} {
		if got := i.program(image); !slices.Equal(got, want) {
			t.Errorf("%s runs %v, want %v", image, got, want)
		}
	}
}

func TestSetProgramRefusesOtherText(t *testing.T) {
	for _, option := range []string{"nginx", "nginx=web", `nginx=["web"`} {
		if newImages().setProgram(option) == nil {
			t.Errorf("%s was accepted", option)
		}
	}
}

func TestPullFailsForMissingImages(t *testing.T) {
	i := newImages()
	if err := i.setMissing("example.com/missing"); err != nil {
		t.Fatal(err)
	}
	pull := func(name string) error {
		_, err := i.PullImage(context.Background(), &runtimeapi.ImageSpec{Image: name}, nil, nil)
		return err
	}
	if pull("example.com/missing:v1") == nil || pull("example.com/there:v1") != nil {
		t.Error("the wrong image is missing")
	}
}
