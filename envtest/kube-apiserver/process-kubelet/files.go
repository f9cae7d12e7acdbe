package main

import (
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"

	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
)

// Files are the files that a container sees: those of this machine with its volumes among them. A volume is a folder or
// a file of this machine, which the container knows by another path.
//
// If a process can have mounts of its own, volumes are mounted. Otherwise it sees the paths of this machine only. Then
// each path of a volume is replaced in the text that the container gets: command, arguments, environment. A path that
// the program has in its own text is not found.
type files struct {
	namespace namespace
	root      string // an empty folder for the mounts
	volumes   []*runtimeapi.Mount
	local     map[string]string // from the path in the container
	paths     *regexp.Regexp    // nil without volumes
}

func newFiles(namespace namespace, root string, volumes []*runtimeapi.Mount) files {
	f := files{namespace: namespace, root: root, local: map[string]string{}}
	var patterns []string
	for _, volume := range volumes {
		path := filepath.Clean(volume.ContainerPath)
		if path == "/" || volume.HostPath == "" {
			continue
		}
		f.volumes = append(f.volumes, volume)
		if path == "/etc/hosts" {
			continue // The replaced path would surprise more than it helps.
		}
		f.local[path] = volume.HostPath
		patterns = append(patterns, regexp.QuoteMeta(path))
	}
	if len(patterns) > 0 {
		// The longest first: a volume may be below another.
		sort.Slice(patterns, func(i, j int) bool { return len(patterns[i]) > len(patterns[j]) })
		f.paths = regexp.MustCompile(`(^|[^\w./-])(` + strings.Join(patterns, "|") + `)($|[^\w.-])`)
	}
	return f
}

// options returns the options of process-guard that mount the volumes.
func (f files) options() []string {
	if !f.namespace.possible() {
		return nil
	}
	options := []string{"-outside", f.namespace.outside, "-root", f.root}
	for _, volume := range f.volumes {
		mode := "rw"
		if volume.Readonly {
			mode = "ro"
		}
		options = append(options, "-volume", volume.HostPath+":"+volume.ContainerPath+":"+mode)
	}
	return options
}

// adapt returns a text as the container must get it.
func (f files) adapt(text string) string {
	if f.namespace.possible() {
		return text
	}
	return f.translate(text)
}

func (f files) adaptAll(texts []string) []string {
	adapted := make([]string, len(texts))
	for i, text := range texts {
		adapted[i] = f.adapt(text)
	}
	return adapted
}

// translate replaces the paths of volumes in a text by those of this machine.
func (f files) translate(text string) string {
	if f.paths == nil {
		return text
	}
	var translated strings.Builder
	for {
		// One at a time, since the character after a path may be the character before the next.
		found := f.paths.FindStringSubmatchIndex(text)
		if found == nil {
			return translated.String() + text
		}
		translated.WriteString(text[:found[4]])
		translated.WriteString(f.local[text[found[4]:found[5]]])
		text = text[found[5]:]
		if text != "" && !strings.ContainsAny(text[:1], "/") {
			continue
		}
		// The rest of this path is no path of its own.
		end := strings.IndexFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n\"':;,=|&()<>", r) })
		if end < 0 {
			return translated.String() + text
		}
		translated.WriteString(text[:end])
		text = text[end:]
	}
}

// folder returns the working folder: that of the pod if there is one of this path, or the container's own.
func (f files) folder(working, own string) string {
	if working == "" || working == "/" {
		return own
	}
	if info, err := os.Stat(f.translate(working)); err == nil && info.IsDir() {
		return f.adapt(working)
	}
	return own
}
