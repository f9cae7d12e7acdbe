package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	cadvisorapi "github.com/google/cadvisor/lib/model"
	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"
	cadvisortest "k8s.io/kubernetes/pkg/kubelet/cadvisor/testing"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/volume/util/hostutil"
	"k8s.io/kubernetes/pkg/volume/util/subpath"
	"k8s.io/mount-utils"
)

// A machine says that it is large, so that the scheduler places all pods of a test.
type machine struct {
	cadvisortest.Fake
}

const (
	cores  = 32
	memory = 256 << 30
	disk   = 1 << 40
)

// MachineInfo returns the size of the machine.
func (m *machine) MachineInfo(klog.Logger) (*cadvisorapi.MachineInfo, error) {
	return &cadvisorapi.MachineInfo{NumCores: cores, NumPhysicalCores: cores, NumSockets: 1, MemoryCapacity: memory,
		MachineID: m.NodeName, SystemUUID: m.NodeName, BootID: m.NodeName}, nil
}

// VersionInfo returns the versions that kubectl get nodes -o wide shows.
func (m *machine) VersionInfo() (*cadvisorapi.VersionInfo, error) {
	kernel, _ := os.ReadFile("/proc/sys/kernel/osrelease") // Without it, there is no version.
	return &cadvisorapi.VersionInfo{KernelVersion: strings.TrimSpace(string(kernel)), ContainerOsVersion: "processes of this machine"}, nil
}

func emptyDisk() (cadvisorapi.FsInfo, error) {
	inodes := uint64(1 << 20)
	return cadvisorapi.FsInfo{Device: "none", Mountpoint: "/", Capacity: disk, Available: disk, Inodes: &inodes, InodesFree: &inodes}, nil
}

// ImagesFsInfo returns an empty disk.
func (m *machine) ImagesFsInfo(context.Context) (cadvisorapi.FsInfo, error) { return emptyDisk() }

// RootFsInfo returns an empty disk.
func (m *machine) RootFsInfo() (cadvisorapi.FsInfo, error) { return emptyDisk() }

// ContainerFsInfo returns an empty disk.
func (m *machine) ContainerFsInfo(context.Context) (cadvisorapi.FsInfo, error) { return emptyDisk() }

// GetDirFsInfo returns an empty disk.
func (m *machine) GetDirFsInfo(string) (cadvisorapi.FsInfo, error) { return emptyDisk() }

// OwnFiles keep the kubelet out of the folders of a real one on this machine.
type ownFiles struct {
	kubecontainer.RealOS
}

const foreign = "/var/log/containers"

// MkdirAll makes folders, except that of a real kubelet.
func (f ownFiles) MkdirAll(path string, mode os.FileMode) error {
	if strings.HasPrefix(path, foreign) {
		return nil
	}
	return f.RealOS.MkdirAll(path, mode)
}

// Symlink makes links, except in the folder of a real kubelet.
func (f ownFiles) Symlink(from, to string) error {
	if strings.HasPrefix(to, foreign) {
		return nil
	}
	return f.RealOS.Symlink(from, to)
}

// Glob finds files, except in the folder of a real kubelet.
func (f ownFiles) Glob(pattern string) ([]string, error) {
	if strings.HasPrefix(pattern, foreign) {
		return nil, nil
	}
	return f.RealOS.Glob(pattern)
}

// Remove deletes files, except in the folder of a real kubelet.
func (f ownFiles) Remove(path string) error {
	if strings.HasPrefix(path, foreign) {
		return nil
	}
	return f.RealOS.Remove(path)
}

// An unmountedHost is this machine for a kubelet that mounts nothing, since that takes privileges.
type unmountedHost struct {
	hostutil.HostUtils
}

// MakeRShared does nothing.
func (unmountedHost) MakeRShared(string) error { return nil }

// A plainSubpath uses parts of volumes without mounts. The user of a test may read all that they lead to.
type plainSubpath struct{}

// PrepareSafeSubpath returns the path itself.
func (plainSubpath) PrepareSafeSubpath(path subpath.Subpath) (string, func(), error) {
	return path.Path, nil, nil
}

// CleanSubPaths does nothing.
func (plainSubpath) CleanSubPaths(string, string) error { return nil }

// SafeMakeDir makes a folder.
func (plainSubpath) SafeMakeDir(folder, base string, mode os.FileMode) error {
	return os.MkdirAll(filepath.Join(base, folder), mode)
}

func noMounts() mount.Interface {
	return mount.NewFakeMounter(nil)
}

// machineAddress returns an address of this machine that other machines can use: the API server refuses endpoints with
// loopback addresses. Without a network it is the loopback address.
func machineAddress() string {
	addresses, err := net.InterfaceAddrs()
	if err == nil {
		for _, each := range addresses {
			if network, isNetwork := each.(*net.IPNet); isNetwork && network.IP.To4() != nil && network.IP.IsGlobalUnicast() {
				return network.IP.String()
			}
		}
	}
	return "127.0.0.1"
}

// createNode creates the node with the address of the kubelet, as a cloud provider would: the kubelet itself refuses a
// loopback address.
func createNode(ctx context.Context, client kubernetes.Interface, name string) error {
	nodes := client.CoreV1().Nodes()
	node := &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if _, err := nodes.Create(ctx, node, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	// A patch cannot conflict: controllers write to a node as soon as they see it.
	addresses := fmt.Sprintf(`{"status":{"addresses":[{"type":%q,"address":"127.0.0.1"},{"type":%q,"address":%q}]}}`,
		v1.NodeInternalIP, v1.NodeHostName, name)
	_, err := nodes.Patch(ctx, name, types.StrategicMergePatchType, []byte(addresses), metav1.PatchOptions{}, "status")
	return err
}
