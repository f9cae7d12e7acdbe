package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	criapi "k8s.io/cri-api/pkg/apis"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	criclient "k8s.io/cri-client/pkg"
	"k8s.io/cri-streaming/pkg/streaming"
)

// A processRuntime is the container runtime of the kubelet. Its containers are processes of this machine: they share its
// network, its files, its users and its processes.
type processRuntime struct {
	criapi.ContainerStatsManager // Nobody asks for statistics; noStatistics has none.

	images    *images
	guard     string   // the program process-guard
	folder    string   // of the containers
	podIP     string   // the address of all pods
	env       []string // what all containers get
	namespace namespace
	server    streaming.Server

	mu         sync.Mutex
	sandboxes  map[string]*sandbox
	containers map[string]*container
}

// A sandbox is what the containers of a pod share: here no more than a name and an address.
type sandbox struct {
	id      string
	config  *runtimeapi.PodSandboxConfig
	handler string
	created time.Time
	state   runtimeapi.PodSandboxState
}

func newID() string {
	id := make([]byte, 32)
	_, _ = rand.Read(id) // It never fails.
	return hex.EncodeToString(id)
}

func notFound(what, id string) error {
	return fmt.Errorf("%s %q not found", what, id)
}

// Version returns what kubectl get nodes -o wide shows.
func (r *processRuntime) Version(context.Context, string) (*runtimeapi.VersionResponse, error) {
	return &runtimeapi.VersionResponse{Version: "0.1.0", RuntimeName: "process", RuntimeVersion: "1.0.0", RuntimeApiVersion: "v1"}, nil
}

// Status returns that all is well.
func (r *processRuntime) Status(context.Context, bool) (*runtimeapi.StatusResponse, error) {
	return &runtimeapi.StatusResponse{Status: &runtimeapi.RuntimeStatus{Conditions: []*runtimeapi.RuntimeCondition{
		{Type: runtimeapi.RuntimeReady, Status: true},
		{Type: runtimeapi.NetworkReady, Status: true},
	}}}, nil
}

// RuntimeConfig returns no configuration.
func (r *processRuntime) RuntimeConfig(context.Context) (*runtimeapi.RuntimeConfigResponse, error) {
	return &runtimeapi.RuntimeConfigResponse{}, nil
}

// UpdateRuntimeConfig does nothing.
func (r *processRuntime) UpdateRuntimeConfig(context.Context, *runtimeapi.RuntimeConfig) error {
	return nil
}

// Close does nothing.
func (r *processRuntime) Close(context.Context) error { return nil }

/* --------------- Sandboxes --------------- */

// RunPodSandbox makes a sandbox.
func (r *processRuntime) RunPodSandbox(_ context.Context, config *runtimeapi.PodSandboxConfig, handler string) (string, error) {
	s := &sandbox{id: newID(), config: config, handler: handler, created: time.Now(), state: runtimeapi.PodSandboxState_SANDBOX_READY}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sandboxes[s.id] = s
	return s.id, nil
}

// StopPodSandbox kills the containers of a sandbox.
func (r *processRuntime) StopPodSandbox(_ context.Context, id string) error {
	for _, each := range r.containersOf(id) {
		each.terminate(0)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if s, found := r.sandboxes[id]; found {
		s.state = runtimeapi.PodSandboxState_SANDBOX_NOTREADY
	}
	return nil
}

// RemovePodSandbox removes a sandbox and its containers.
func (r *processRuntime) RemovePodSandbox(ctx context.Context, id string) error {
	for _, each := range r.containersOf(id) {
		if err := r.RemoveContainer(ctx, each.id); err != nil {
			return err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.sandboxes, id)
	return nil
}

func (r *processRuntime) containersOf(sandbox string) []*container {
	r.mu.Lock()
	defer r.mu.Unlock()
	var found []*container
	for _, each := range r.containers {
		if each.sandbox.id == sandbox {
			found = append(found, each)
		}
	}
	return found
}

// PodSandboxStatus returns the state and the address of a sandbox.
func (r *processRuntime) PodSandboxStatus(_ context.Context, id string, _ bool) (*runtimeapi.PodSandboxStatusResponse, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, found := r.sandboxes[id]
	if !found {
		return nil, notFound("sandbox", id)
	}
	namespaces := s.config.GetLinux().GetSecurityContext().GetNamespaceOptions()
	network := &runtimeapi.PodSandboxNetworkStatus{}
	if namespaces.GetNetwork() != runtimeapi.NamespaceMode_NODE {
		network.Ip = r.podIP
	}
	return &runtimeapi.PodSandboxStatusResponse{Status: &runtimeapi.PodSandboxStatus{
		Id:             s.id,
		Metadata:       s.config.Metadata,
		State:          s.state,
		CreatedAt:      s.created.UnixNano(),
		Network:        network,
		Linux:          &runtimeapi.LinuxPodSandboxStatus{Namespaces: &runtimeapi.Namespace{Options: namespaces}},
		Labels:         s.config.Labels,
		Annotations:    s.config.Annotations,
		RuntimeHandler: s.handler,
	}}, nil
}

// ListPodSandbox returns the sandboxes that match.
func (r *processRuntime) ListPodSandbox(_ context.Context, filter *runtimeapi.PodSandboxFilter) ([]*runtimeapi.PodSandbox, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var found []*runtimeapi.PodSandbox
	for _, s := range r.sandboxes {
		if filter.GetId() != "" && filter.Id != s.id ||
			filter.GetState() != nil && filter.State.State != s.state ||
			!matches(filter.GetLabelSelector(), s.config.Labels) {
			continue
		}
		found = append(found, &runtimeapi.PodSandbox{Id: s.id, Metadata: s.config.Metadata, State: s.state,
			CreatedAt: s.created.UnixNano(), Labels: s.config.Labels, Annotations: s.config.Annotations, RuntimeHandler: s.handler})
	}
	return found, nil
}

func matches(selector, labels map[string]string) bool {
	for key, value := range selector {
		if labels[key] != value {
			return false
		}
	}
	return true
}

// UpdatePodSandboxResources does nothing: nothing limits a process.
func (r *processRuntime) UpdatePodSandboxResources(context.Context, *runtimeapi.UpdatePodSandboxResourcesRequest) (*runtimeapi.UpdatePodSandboxResourcesResponse, error) {
	return &runtimeapi.UpdatePodSandboxResourcesResponse{}, nil
}

/* --------------- Containers --------------- */

// CreateContainer makes a container that has not started.
func (r *processRuntime) CreateContainer(_ context.Context, sandboxID string, config *runtimeapi.ContainerConfig, pod *runtimeapi.PodSandboxConfig) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, found := r.sandboxes[sandboxID]
	if !found {
		return "", notFound("sandbox", sandboxID)
	}
	id := newID()
	folder := filepath.Join(r.folder, id)
	own, root := filepath.Join(folder, "own"), filepath.Join(folder, "root")
	for _, each := range []string{own, root} {
		if err := os.MkdirAll(each, 0o755); err != nil {
			return "", err
		}
	}
	seen := newFiles(r.namespace, root, config.Mounts)
	image := config.Image.GetUserSpecifiedImage()
	if image == "" {
		image = config.Image.GetImage()
	}
	command := config.Command
	if len(command) == 0 {
		command = r.images.program(image)
	}
	if len(command) > 0 {
		command = seen.adaptAll(slices.Concat(command, config.Args))
	}
	r.containers[id] = &container{
		id: id, sandbox: s, config: config, image: image, guard: r.guard, folder: folder, created: time.Now(),
		logPath:  filepath.Join(pod.LogDirectory, config.LogPath),
		state:    runtimeapi.ContainerState_CONTAINER_CREATED,
		attached: map[*attachment]bool{}, execs: map[*process]bool{},
		program: program{
			command: command,
			env:     r.environment(config, pod, seen),
			folder:  seen.folder(config.WorkingDir, own),
			tty:     config.Tty,
			stdin:   config.Stdin,
			files:   seen,
		},
	}
	return id, nil
}

// environment returns the variables of a container. Those of the pod win over those that all have, except for the
// address of the API server: that of the service kubernetes leads nowhere here.
func (r *processRuntime) environment(config *runtimeapi.ContainerConfig, pod *runtimeapi.PodSandboxConfig, seen files) []string {
	values := map[string]string{"HOSTNAME": pod.Hostname}
	set := func(variables []string) {
		for _, each := range variables {
			if name, value, isPair := strings.Cut(each, "="); isPair {
				values[name] = value
			}
		}
	}
	for _, name := range []string{"PATH", "HOME", "USER", "LANG", "TZ", "TMPDIR"} {
		if value, found := os.LookupEnv(name); found {
			values[name] = value
		}
	}
	for _, each := range config.Envs {
		values[each.Key] = seen.adapt(string(each.Value))
	}
	set(r.env)
	var all []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		all = append(all, name+"="+values[name])
	}
	return all
}

func (r *processRuntime) find(id string) (*container, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c, found := r.containers[id]; found {
		return c, nil
	}
	return nil, notFound("container", id)
}

// StartContainer starts the process of a container.
func (r *processRuntime) StartContainer(_ context.Context, id string) error {
	c, err := r.find(id)
	if err != nil {
		return err
	}
	return c.start()
}

// StopContainer ends the process of a container.
func (r *processRuntime) StopContainer(_ context.Context, id string, seconds int64) error {
	c, err := r.find(id)
	if err != nil {
		return err
	}
	c.terminate(time.Duration(seconds) * time.Second)
	return nil
}

// RemoveContainer kills the process of a container and deletes its folder.
func (r *processRuntime) RemoveContainer(_ context.Context, id string) error {
	c, err := r.find(id)
	if err != nil {
		return nil // It has been removed before.
	}
	c.terminate(0)
	r.mu.Lock()
	delete(r.containers, id)
	r.mu.Unlock()
	return os.RemoveAll(c.folder)
}

// ListContainers returns the containers that match.
func (r *processRuntime) ListContainers(_ context.Context, filter *runtimeapi.ContainerFilter) ([]*runtimeapi.Container, error) {
	r.mu.Lock()
	all := slices.Collect(maps.Values(r.containers))
	r.mu.Unlock()
	var found []*runtimeapi.Container
	for _, c := range all {
		s := c.status()
		if filter.GetId() != "" && filter.Id != c.id ||
			filter.GetPodSandboxId() != "" && filter.PodSandboxId != c.sandbox.id ||
			filter.GetState() != nil && filter.State.State != s.State ||
			!matches(filter.GetLabelSelector(), s.Labels) {
			continue
		}
		found = append(found, &runtimeapi.Container{Id: c.id, PodSandboxId: c.sandbox.id, Metadata: s.Metadata, Image: s.Image,
			ImageRef: s.ImageRef, ImageId: s.ImageId, State: s.State, CreatedAt: s.CreatedAt, Labels: s.Labels, Annotations: s.Annotations})
	}
	return found, nil
}

// ContainerStatus returns the status of a container.
func (r *processRuntime) ContainerStatus(_ context.Context, id string, _ bool) (*runtimeapi.ContainerStatusResponse, error) {
	c, err := r.find(id)
	if err != nil {
		return nil, err
	}
	return &runtimeapi.ContainerStatusResponse{Status: c.status()}, nil
}

// UpdateContainerResources does nothing: nothing limits a process.
func (r *processRuntime) UpdateContainerResources(context.Context, string, *runtimeapi.ContainerResources) error {
	return nil
}

// ReopenContainerLog continues in a new file after the kubelet has moved the old one.
func (r *processRuntime) ReopenContainerLog(_ context.Context, id string) error {
	c, err := r.find(id)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state != runtimeapi.ContainerState_CONTAINER_RUNNING {
		return errNotRunning
	}
	return c.log.reopen()
}

// CheckpointContainer is not possible.
func (r *processRuntime) CheckpointContainer(context.Context, *runtimeapi.CheckpointContainerRequest) error {
	return fmt.Errorf("a process cannot be checkpointed")
}

// CheckpointPod is not possible.
func (r *processRuntime) CheckpointPod(context.Context, *runtimeapi.CheckpointPodRequest) error {
	return fmt.Errorf("processes cannot be checkpointed")
}

// RestorePod is not possible.
func (r *processRuntime) RestorePod(context.Context, *runtimeapi.RestorePodRequest) (*runtimeapi.RestorePodResponse, error) {
	return nil, fmt.Errorf("processes cannot be restored")
}

// GetContainerEvents is not possible: the kubelet looks for changes each second.
func (r *processRuntime) GetContainerEvents(context.Context, chan *runtimeapi.ContainerEventResponse, func(runtimeapi.RuntimeService_GetContainerEventsClient)) error {
	return fmt.Errorf("no events of containers are sent")
}

// ExecSync runs the command of a probe or a hook.
func (r *processRuntime) ExecSync(ctx context.Context, id string, command []string, timeout time.Duration) ([]byte, []byte, error) {
	c, err := r.find(id)
	if err != nil {
		return nil, nil, err
	}
	if timeout > 0 {
		limited, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		ctx = limited
	}
	var stdout, stderr bytes.Buffer
	err = c.exec(ctx, command, streams{out: &stdout, err: &stderr})
	if ctx.Err() == context.DeadlineExceeded {
		err = fmt.Errorf("%w: %q timed out after %s", criclient.ErrCommandTimedOut, strings.Join(command, " "), timeout)
	}
	return stdout.Bytes(), stderr.Bytes(), err
}

/* --------------- Streams --------------- */

// Exec returns the address at which a client's command starts.
func (r *processRuntime) Exec(_ context.Context, request *runtimeapi.ExecRequest) (*runtimeapi.ExecResponse, error) {
	if err := r.mustRun(request.ContainerId); err != nil {
		return nil, err
	}
	return r.server.GetExec(request)
}

// Attach returns the address at which a client sees a container.
func (r *processRuntime) Attach(_ context.Context, request *runtimeapi.AttachRequest) (*runtimeapi.AttachResponse, error) {
	if err := r.mustRun(request.ContainerId); err != nil {
		return nil, err
	}
	return r.server.GetAttach(request)
}

func (r *processRuntime) mustRun(id string) error {
	c, err := r.find(id)
	if err == nil && c.status().State != runtimeapi.ContainerState_CONTAINER_RUNNING {
		err = errNotRunning
	}
	return err
}

// PortForward returns the address at which a client reaches the ports of a pod.
func (r *processRuntime) PortForward(_ context.Context, request *runtimeapi.PortForwardRequest) (*runtimeapi.PortForwardResponse, error) {
	return r.server.GetPortForward(request)
}
