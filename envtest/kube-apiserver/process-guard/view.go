package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
)

// A view is the files of this machine with volumes among them, for a program in a mount namespace of its own. It has a
// root of its own, into which each entry of the machine's root is mounted. Where a volume has a path that the machine
// does not have, the folder above it is mirrored in the same way: it is a new folder with the entries of the old one.
// Nothing changes for other programs.
type view struct {
	root    string // an empty folder, which keeps what programs write into mirrored folders
	outside string // the mount namespace of the other programs
	volumes []volume
}

// A volume is a folder or a file of this machine at another path.
type volume struct {
	source, path string
	readOnly     bool
}

// addVolume reads an option: SOURCE:PATH:rw or SOURCE:PATH:ro.
func (v *view) addVolume(option string) error {
	rest, mode, _ := cutLast(option)
	source, path, found := cutLast(rest)
	if !found || !filepath.IsAbs(source) || !filepath.IsAbs(path) || mode != "ro" && mode != "rw" {
		return fmt.Errorf("want SOURCE:PATH:rw or SOURCE:PATH:ro, not %s", option)
	}
	v.volumes = append(v.volumes, volume{source: source, path: filepath.Clean(path), readOnly: mode == "ro"})
	return nil
}

func cutLast(text string) (string, string, bool) {
	colon := strings.LastIndexByte(text, ':')
	if colon < 0 {
		return text, "", false
	}
	return text[:colon], text[colon+1:], true
}

// mount builds the view. It must be called in a mount namespace of this process.
func (v *view) mount() error {
	// Mounts that others saw would be followed when they delete the root.
	if inside, err := os.Readlink("/proc/self/ns/mnt"); err != nil || inside == v.outside || v.outside == "" {
		return errors.New("not in a mount namespace of its own")
	}
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("cannot keep mounts private: %w", err)
	}
	mirrored := map[string]bool{"/": true}
	for i := range v.volumes {
		path, above := resolve(v.volumes[i].path)
		v.volumes[i].path = path
		for ; above != ""; above = parentFolder(above) {
			mirrored[above] = true
		}
	}
	if err := v.mirror("/", mirrored); err != nil {
		return err
	}
	// The shorter paths first: a volume may be in another.
	sort.SliceStable(v.volumes, func(i, j int) bool { return len(v.volumes[i].path) < len(v.volumes[j].path) })
	for _, each := range v.volumes {
		if err := each.mount(v.root); err != nil {
			return fmt.Errorf("cannot mount %s at %s: %w", each.source, each.path, err)
		}
	}
	return nil
}

// resolve follows the links in a path. If the machine does not have the path, it also returns the deepest folder above.
func resolve(path string) (string, string) {
	rest := ""
	for above := path; ; above = filepath.Dir(above) {
		if real, err := filepath.EvalSymlinks(above); err == nil {
			if rest == "" {
				return real, ""
			}
			return filepath.Join(real, rest), real
		}
		rest = filepath.Join(filepath.Base(above), rest)
	}
}

func parentFolder(path string) string {
	if path == "/" {
		return ""
	}
	return filepath.Dir(path)
}

// mirror mounts the entries of a folder.
func (v *view) mirror(folder string, mirrored map[string]bool) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	// The folder that has the root in it comes first, since it would bring along what is mounted there already.
	sort.SliceStable(entries, func(i, j int) bool {
		return v.isIn(filepath.Join(folder, entries[i].Name())) && !v.isIn(filepath.Join(folder, entries[j].Name()))
	})
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		if mirrored[path] {
			if err := os.MkdirAll(v.root+path, 0o755); err != nil {
				return err
			}
			if err := v.mirror(path, mirrored); err != nil {
				return err
			}
			continue
		}
		if err := v.mountEntry(path, entry.Type()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("cannot mount %s: %w", path, err)
		}
	}
	return nil
}

func (v *view) isIn(folder string) bool {
	return strings.HasPrefix(v.root, folder+"/")
}

func (v *view) mountEntry(path string, kind fs.FileMode) error {
	target := v.root + path
	if kind&fs.ModeSymlink != 0 {
		to, err := os.Readlink(path)
		if err != nil {
			return err
		}
		if err := os.Symlink(to, target); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		return nil
	}
	if err := makeTarget(target, kind.IsDir()); err != nil {
		return err
	}
	return syscall.Mount(path, target, "", syscall.MS_BIND|syscall.MS_REC, "")
}

func (v volume) mount(root string) error {
	info, err := os.Stat(v.source)
	if err != nil {
		return err
	}
	target := root + v.path
	if err := makeTarget(target, info.IsDir()); err != nil {
		return err
	}
	if err := syscall.Mount(v.source, target, "", syscall.MS_BIND|syscall.MS_REC, ""); err != nil {
		return err
	}
	if !v.readOnly {
		return nil
	}
	// In a user namespace, the options of the file system below must be named again; few systems have others.
	flags := uintptr(syscall.MS_BIND | syscall.MS_REMOUNT | syscall.MS_RDONLY)
	if syscall.Mount("", target, "", flags, "") == nil {
		return nil
	}
	return syscall.Mount("", target, "", flags|syscall.MS_NOSUID|syscall.MS_NODEV, "")
}

// makeTarget makes the folder or the file on which something is mounted.
func makeTarget(path string, isFolder bool) error {
	if isFolder {
		return os.MkdirAll(path, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDONLY, 0o644)
	if err != nil {
		return err
	}
	return file.Close()
}
