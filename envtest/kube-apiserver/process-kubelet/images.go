package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
)

// Images stand for programs of this machine. A pull brings nothing; it fails for the images that tests want to miss.
type images struct {
	programs map[string][]string // what a container of the image runs if the pod names no command
	missing  map[string]bool

	mu     sync.Mutex
	pulled map[string]bool
}

func newImages() *images {
	return &images{programs: map[string][]string{}, missing: map[string]bool{}, pulled: map[string]bool{}}
}

// setProgram reads an option such as nginx=["python3","-m","http.server"].
func (i *images) setProgram(option string) error {
	name, text, isPair := strings.Cut(option, "=")
	var command []string
	if !isPair || json.Unmarshal([]byte(text), &command) != nil {
		return fmt.Errorf(`want NAME=["COMMAND", "ARGUMENT"], not %s`, option)
	}
	i.programs[name] = command
	return nil
}

func (i *images) setMissing(name string) error {
	i.missing[name] = true
	return nil
}

// program returns what an image runs; nothing for one that nobody has named.
func (i *images) program(image string) []string {
	for _, name := range namesOf(image) {
		if command, found := i.programs[name]; found {
			return command
		}
	}
	return nil
}

// namesOf returns the names that an option may give an image, the most precise first: docker.io/library/nginx:1.27 is
// also docker.io/library/nginx, nginx:1.27 and nginx.
func namesOf(image string) []string {
	untagged, _, _ := strings.Cut(image, "@")
	if colon := strings.LastIndex(untagged, ":"); colon > strings.LastIndex(untagged, "/") {
		untagged = untagged[:colon]
	}
	short := func(name string) string {
		return strings.TrimPrefix(strings.TrimPrefix(name, "docker.io/"), "library/")
	}
	return []string{image, untagged, short(image), short(untagged)}
}

func imageID(image string) string {
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(image)))
}

func (i *images) image(name string) *runtimeapi.Image {
	// A user other than root, so that pods that demand one start. Processes run as the user of the kubelet.
	return &runtimeapi.Image{Id: imageID(name), RepoTags: []string{name}, Size: 1, Uid: &runtimeapi.Int64Value{Value: 65532},
		Spec: &runtimeapi.ImageSpec{Image: name}}
}

// PullImage fails for missing images and does nothing else.
func (i *images) PullImage(_ context.Context, image *runtimeapi.ImageSpec, _ *runtimeapi.AuthConfig, _ *runtimeapi.PodSandboxConfig) (string, error) {
	for _, name := range namesOf(image.Image) {
		if i.missing[name] {
			return "", status.Errorf(codes.NotFound, "failed to pull and unpack image %q: not found", image.Image)
		}
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.pulled[image.Image] = true
	return imageID(image.Image), nil
}

// ImageStatus returns an image that has been pulled.
func (i *images) ImageStatus(_ context.Context, image *runtimeapi.ImageSpec, _ bool) (*runtimeapi.ImageStatusResponse, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for name := range i.pulled {
		if name == image.Image || imageID(name) == image.Image {
			return &runtimeapi.ImageStatusResponse{Image: i.image(name)}, nil
		}
	}
	return &runtimeapi.ImageStatusResponse{}, nil
}

// ListImages returns the images that have been pulled.
func (i *images) ListImages(context.Context, *runtimeapi.ImageFilter) ([]*runtimeapi.Image, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	var all []*runtimeapi.Image
	for name := range i.pulled {
		all = append(all, i.image(name))
	}
	return all, nil
}

// RemoveImage forgets an image.
func (i *images) RemoveImage(_ context.Context, image *runtimeapi.ImageSpec) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	delete(i.pulled, image.Image)
	return nil
}

// ImageFsInfo returns an empty filesystem.
func (i *images) ImageFsInfo(context.Context) (*runtimeapi.ImageFsInfoResponse, error) {
	filesystem := &runtimeapi.FilesystemUsage{
		Timestamp:  time.Now().UnixNano(),
		FsId:       &runtimeapi.FilesystemIdentifier{Mountpoint: "/"},
		UsedBytes:  &runtimeapi.UInt64Value{Value: 1},
		InodesUsed: &runtimeapi.UInt64Value{Value: 1},
	}
	return &runtimeapi.ImageFsInfoResponse{
		ImageFilesystems:     []*runtimeapi.FilesystemUsage{filesystem},
		ContainerFilesystems: []*runtimeapi.FilesystemUsage{filesystem},
	}, nil
}

// Close does nothing.
func (i *images) Close(context.Context) error { return nil }
