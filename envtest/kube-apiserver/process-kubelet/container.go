package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	utilexec "k8s.io/utils/exec"
)

// A container is one run of a container: a process, or nothing at all if it only has to be there.
type container struct {
	id      string
	sandbox *sandbox
	config  *runtimeapi.ContainerConfig
	image   string // as the pod names it
	guard   string
	folder  string // its own, deleted with it
	logPath string
	program program
	created time.Time

	mu       sync.Mutex
	state    runtimeapi.ContainerState
	started  time.Time
	finished time.Time
	exitCode int
	reason   string
	message  string
	process  *process             // nil if it pauses
	log      *logFile             // nil before the start
	attached map[*attachment]bool // the clients that see the output
	execs    map[*process]bool    // what runs in the container besides
	done     chan struct{}        // closed at the end
	stop     func()               // ends a container without a process
}

// An attachment is a client that sees the output.
type attachment struct {
	stdout, stderr io.Writer
}

var errNotRunning = errors.New("the container is not running")

// start starts the process.
func (c *container) start() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state != runtimeapi.ContainerState_CONTAINER_CREATED {
		return fmt.Errorf("container %s has been started already", c.id)
	}
	log, err := openLog(c.logPath)
	if err != nil {
		return err
	}
	c.log, c.started, c.done = log, time.Now(), make(chan struct{})
	if len(c.program.command) == 0 {
		c.state = runtimeapi.ContainerState_CONTAINER_RUNNING
		c.stop = sync.OnceFunc(func() { c.end(0) })
		return nil
	}
	started, err := c.program.start(c.guard)
	if err != nil {
		c.endLocked(128, "StartError", err.Error())
		return err
	}
	c.state, c.process = runtimeapi.ContainerState_CONTAINER_RUNNING, started
	go c.follow(started)
	return nil
}

// follow copies the output until the process has ended.
func (c *container) follow(p *process) {
	var outputs sync.WaitGroup
	outputs.Go(func() { c.copyOutput(p.stdout, runtimeapi.Stdout) })
	if p.stderr != nil {
		outputs.Go(func() { c.copyOutput(p.stderr, runtimeapi.Stderr) })
	}
	outputs.Wait()
	c.end(p.wait())
}

func (c *container) copyOutput(from *os.File, stream runtimeapi.LogStreamType) {
	lines := &lineWriter{log: c.log, stream: stream}
	defer lines.end()
	buffer := make([]byte, longestLine)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			lines.write(buffer[:n])
			c.show(stream, buffer[:n])
		}
		if err != nil { // The end, which a terminal reports as an error.
			return
		}
	}
}

// show sends output to the clients that are attached.
func (c *container) show(stream runtimeapi.LogStreamType, output []byte) {
	c.mu.Lock()
	clients := make([]*attachment, 0, len(c.attached))
	for each := range c.attached {
		clients = append(clients, each)
	}
	c.mu.Unlock()
	for _, each := range clients {
		to := each.stdout
		if stream == runtimeapi.Stderr {
			to = each.stderr
		}
		if to == nil {
			continue
		}
		if _, err := to.Write(output); err != nil {
			c.detach(each)
		}
	}
}

func (c *container) detach(client *attachment) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.attached, client)
}

func (c *container) end(exitCode int) {
	reason := "Completed"
	if exitCode != 0 {
		reason = "Error"
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.endLocked(exitCode, reason, "")
}

func (c *container) endLocked(exitCode int, reason, message string) {
	c.state, c.finished = runtimeapi.ContainerState_CONTAINER_EXITED, time.Now()
	c.exitCode, c.reason, c.message = exitCode, reason, message
	for each := range c.execs {
		each.kill()
	}
	c.log.close()
	close(c.done)
}

// terminate asks the process to end, and kills it after the grace period.
func (c *container) terminate(grace time.Duration) {
	c.mu.Lock()
	p, done, stop, running := c.process, c.done, c.stop, c.state == runtimeapi.ContainerState_CONTAINER_RUNNING
	c.mu.Unlock()
	switch {
	case !running:
		return
	case p == nil:
		stop()
		return
	}
	if grace > 0 {
		p.signal(stopSignal(c.config.StopSignal))
		select {
		case <-done:
			return
		case <-time.After(grace):
		}
	}
	p.kill()
	<-done
}

// stopSignal returns the signal that the pod names, or SIGTERM.
func stopSignal(named runtimeapi.Signal) syscall.Signal {
	switch named {
	case runtimeapi.Signal_SIGNAL_SIGINT:
		return syscall.SIGINT
	case runtimeapi.Signal_SIGNAL_SIGQUIT:
		return syscall.SIGQUIT
	case runtimeapi.Signal_SIGNAL_SIGHUP:
		return syscall.SIGHUP
	case runtimeapi.Signal_SIGNAL_SIGUSR1:
		return syscall.SIGUSR1
	case runtimeapi.Signal_SIGNAL_SIGUSR2:
		return syscall.SIGUSR2
	default:
		return syscall.SIGTERM
	}
}

// streams are the ends of a client of exec or attach; each may be nil.
type streams struct {
	in       io.Reader
	out, err io.Writer
	tty      bool
	sizes    <-chan remotecommand.TerminalSize
}

// exec runs a command besides the process, and returns an error with its exit code unless that is 0.
func (c *container) exec(ctx context.Context, command []string, client streams) error {
	run := c.program
	run.command, run.tty, run.stdin = c.program.files.adaptAll(command), client.tty, client.in != nil
	p, err := c.startExec(run)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, p.kill)()
	if client.sizes != nil {
		go p.resize(client.sizes)
	}
	if client.in != nil {
		go func() {
			_, _ = io.Copy(p.stdin, client.in)
			if !client.tty {
				p.stdin.Close()
			}
		}()
	}
	var outputs sync.WaitGroup
	outputs.Go(func() { copyTo(client.out, p.stdout) })
	if p.stderr != nil {
		outputs.Go(func() { copyTo(client.err, p.stderr) })
	}
	outputs.Wait()
	code := p.wait()
	c.mu.Lock()
	delete(c.execs, p)
	c.mu.Unlock()
	if code != 0 {
		return utilexec.CodeExitError{Err: fmt.Errorf("command terminated with exit code %d", code), Code: code}
	}
	return nil
}

func (c *container) startExec(run program) (*process, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state != runtimeapi.ContainerState_CONTAINER_RUNNING {
		return nil, errNotRunning
	}
	p, err := run.start(c.guard)
	if err == nil {
		c.execs[p] = true
	}
	return p, err
}

// copyTo copies output to a client. When the client is gone it closes the output, which ends most programs.
func copyTo(client io.Writer, output *os.File) {
	if client == nil {
		client = io.Discard
	}
	_, _ = io.Copy(client, output)
	output.Close()
}

// attach connects a client to the process until one of them ends.
func (c *container) attach(ctx context.Context, client streams) error {
	c.mu.Lock()
	if c.state != runtimeapi.ContainerState_CONTAINER_RUNNING {
		c.mu.Unlock()
		return errNotRunning
	}
	watcher := &attachment{stdout: client.out, stderr: client.err}
	c.attached[watcher] = true
	p, done := c.process, c.done
	c.mu.Unlock()
	defer c.detach(watcher)
	if p != nil && client.sizes != nil {
		go p.resize(client.sizes)
	}
	if p != nil && client.in != nil && p.stdin != nil {
		go func() {
			_, _ = io.Copy(p.stdin, client.in)
			if c.config.StdinOnce && !client.tty {
				p.stdin.Close()
			}
		}()
	}
	select {
	case <-done:
	case <-ctx.Done():
	}
	return nil
}

// status returns the status for the kubelet.
func (c *container) status() *runtimeapi.ContainerStatus {
	c.mu.Lock()
	defer c.mu.Unlock()
	return &runtimeapi.ContainerStatus{
		Id:          c.id,
		Metadata:    c.config.Metadata,
		State:       c.state,
		CreatedAt:   nanos(c.created),
		StartedAt:   nanos(c.started),
		FinishedAt:  nanos(c.finished),
		ExitCode:    int32(c.exitCode),
		Image:       &runtimeapi.ImageSpec{Image: c.image},
		ImageRef:    imageID(c.image),
		ImageId:     imageID(c.image),
		Reason:      c.reason,
		Message:     c.message,
		Labels:      c.config.Labels,
		Annotations: c.config.Annotations,
		Mounts:      c.config.Mounts,
		LogPath:     c.logPath,
		StopSignal:  c.config.StopSignal,
	}
}

func nanos(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}
