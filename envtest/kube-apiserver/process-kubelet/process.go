package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/creack/pty"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
)

// A process is a program under a guard, which ends it and all that it has started.
type process struct {
	guard   *exec.Cmd
	control *os.File // Its end tells the guard to kill everything.
	stdin   io.WriteCloser
	stdout  *os.File
	stderr  *os.File // nil with a terminal
	console *os.File // nil without a terminal
}

// A program is what a process runs.
type program struct {
	command []string
	env     []string
	folder  string
	tty     bool
	stdin   bool
	files   files
}

// start starts a program. The caller must read its output to the end and then call wait.
func (p program) start(guard string) (*process, error) {
	path, err := p.find()
	if err != nil {
		return nil, err
	}
	watched, control, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer watched.Close()
	arguments := []string{"-control", "3", "-folder", p.folder}
	if p.tty {
		arguments = append(arguments, "-tty")
	}
	arguments = append(arguments, p.files.options()...)
	cmd := exec.Command(guard, append(append(arguments, path), p.command[1:]...)...)
	cmd.Env, cmd.ExtraFiles = p.env, []*os.File{watched}
	cmd.SysProcAttr = p.files.namespace.attributes()
	started := &process{guard: cmd, control: control}
	theirs, err := started.connect(p)
	if err == nil {
		err = cmd.Start()
	}
	for _, each := range theirs {
		each.Close()
	}
	if err != nil {
		started.close()
		return nil, err
	}
	return started, nil
}

// connect makes the standard files, and returns those that belong to the program.
func (p *process) connect(program program) ([]*os.File, error) {
	if program.tty {
		console, terminal, err := pty.Open()
		if err != nil {
			return nil, err
		}
		p.console, p.stdout, p.stdin = console, console, console
		p.guard.Stdin, p.guard.Stdout, p.guard.Stderr = terminal, terminal, terminal
		return []*os.File{terminal}, nil
	}
	var theirs []*os.File
	if program.stdin {
		read, write, err := os.Pipe()
		if err != nil {
			return theirs, err
		}
		p.stdin, p.guard.Stdin, theirs = write, read, append(theirs, read)
	}
	output, write, err := os.Pipe()
	if err != nil {
		return theirs, err
	}
	p.stdout, p.guard.Stdout, theirs = output, write, append(theirs, write)
	errors, write, err := os.Pipe()
	if err != nil {
		return theirs, err
	}
	p.stderr, p.guard.Stderr, theirs = errors, write, append(theirs, write)
	return theirs, nil
}

// wait waits until the program and all that it has started have ended, and returns the exit status.
func (p *process) wait() int {
	_ = p.guard.Wait() // The exit status says more than the error.
	p.close()
	return p.guard.ProcessState.ExitCode()
}

// signal sends a signal to the program.
func (p *process) signal(signal syscall.Signal) {
	_ = p.guard.Process.Signal(signal) // An error means that it has ended.
}

// kill kills the program and all that it has started.
func (p *process) kill() {
	p.control.Close()
}

func (p *process) close() {
	p.control.Close()
	if p.stdin != nil {
		p.stdin.Close()
	}
	for _, each := range []*os.File{p.stdout, p.stderr, p.console} {
		if each != nil {
			each.Close()
		}
	}
}

// resize follows the size of the terminal of a client.
func (p *process) resize(sizes <-chan remotecommand.TerminalSize) {
	for size := range sizes {
		if p.console != nil {
			_ = pty.Setsize(p.console, &pty.Winsize{Rows: size.Height, Cols: size.Width})
		}
	}
}

// find looks for the program in the PATH of its own environment, or in its own folder.
func (p program) find() (string, error) {
	name := p.command[0]
	if strings.Contains(name, "/") {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.folder, name)
		}
		return name, executable(p.files.translate(name))
	}
	for _, each := range p.env {
		path, isPath := strings.CutPrefix(each, "PATH=")
		if !isPath {
			continue
		}
		for _, folder := range filepath.SplitList(path) {
			if candidate := filepath.Join(folder, name); executable(p.files.translate(candidate)) == nil {
				return candidate, nil
			}
		}
	}
	return "", fmt.Errorf("exec: %q: executable file not found in $PATH of this machine", name)
}

func executable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.IsDir() || info.Mode()&0o111 == 0 {
		return fmt.Errorf("exec: %q: permission denied", path)
	}
	return nil
}
