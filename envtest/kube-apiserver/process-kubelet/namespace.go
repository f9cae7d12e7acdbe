package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// Capabilities that linux/capability.h numbers.
const (
	sysChroot = 18
	sysAdmin  = 21
)

// A namespace is how a process gets mounts of its own on this machine: as root by a mount namespace, otherwise by one
// in a user namespace, or not at all where the system or a container around the kubelet forbids it.
type namespace struct {
	flags   uintptr // of clone; 0 if it is not possible
	outside string  // the mount namespace of the kubelet
}

// findNamespace tries what is possible here.
func findNamespace(guard, folder string) namespace {
	outside, err := os.Readlink("/proc/self/ns/mnt")
	if err != nil {
		return namespace{}
	}
	for _, flags := range []uintptr{syscall.CLONE_NEWNS, syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER} {
		candidate := namespace{flags: flags, outside: outside}
		if candidate.works(guard, folder) {
			return candidate
		}
	}
	return namespace{}
}

func (n namespace) possible() bool { return n.flags != 0 }

// works tries to run a program that sees a volume at a path that this machine does not have.
func (n namespace) works(guard, folder string) bool {
	trial, err := os.MkdirTemp(folder, "trial")
	if err != nil {
		return false
	}
	defer os.RemoveAll(trial)
	root, source := filepath.Join(trial, "root"), filepath.Join(trial, "volume")
	if os.Mkdir(root, 0o755) != nil || os.Mkdir(source, 0o755) != nil {
		return false
	}
	cmd := exec.Command(guard, "-outside", n.outside, "-root", root, "-volume", source+":/etc/process-kubelet/trial:ro",
		"/bin/sh", "-c", "test -d /etc/process-kubelet/trial && test -e /dev/null && test -d /proc/1")
	input, err := cmd.StdinPipe() // Its end would end the program.
	if err != nil {
		return false
	}
	defer input.Close()
	cmd.SysProcAttr = n.attributes()
	return cmd.Run() == nil
}

// attributes returns how a guard is started.
func (n namespace) attributes() *syscall.SysProcAttr {
	attributes := &syscall.SysProcAttr{Setsid: true, Cloneflags: n.flags}
	if n.flags&syscall.CLONE_NEWUSER != 0 {
		// Without these, the guard would lose the privileges in its namespace as soon as it starts.
		attributes.AmbientCaps = []uintptr{sysChroot, sysAdmin}
		attributes.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
		attributes.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
	}
	return attributes
}
