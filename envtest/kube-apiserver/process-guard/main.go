// Process-guard runs a program and lets nothing of it survive.
//
//	process-guard [-control FD] [-tty] [-root FOLDER -outside NAMESPACE -volume SOURCE:PATH:MODE…] PROGRAM ARGUMENT…
//
// It is to a program what the first process of a PID namespace is to a container, but needs no privileges. When the
// program ends, everything that it has started is killed, and process-guard exits with the program's status, 128 plus
// the number if a signal ended it. Signals to process-guard are passed on to the program. When the control file ends,
// because the process at its other end closed it or died, the program and everything that it has started is killed.
//
// With -root, which needs a mount namespace of its own, the program sees volumes among the files of this machine.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
)

const (
	setChildSubreaper = 36 // PR_SET_CHILD_SUBREAPER
	ambient           = 47 // PR_CAP_AMBIENT
	clearAll          = 4  // PR_CAP_AMBIENT_CLEAR_ALL

	exitUsage    = 125
	exitNotFound = 127
)

func main() {
	// The kernel sends the parent-death signal when the thread ends that has started the program.
	runtime.LockOSThread()
	control := flag.Int("control", 0, "the file descriptor whose end ends the program")
	tty := flag.Bool("tty", false, "make standard input the controlling terminal of the program")
	folder := flag.String("folder", ".", "the working folder of the program")
	files := view{}
	flag.StringVar(&files.root, "root", "", "an empty folder, for the view of the files that the program gets")
	flag.StringVar(&files.outside, "outside", "", "the mount namespace that this process must not be in")
	flag.Func("volume", "what the program sees at another path: SOURCE:PATH:rw or SOURCE:PATH:ro", files.addVolume)
	flag.Parse()
	if flag.NArg() == 0 {
		fail(exitUsage, "no program")
	}
	path := flag.Arg(0)
	if files.root != "" {
		if err := files.mount(); err != nil {
			fail(exitUsage, err.Error())
		}
		// The program does not get the privileges in the namespace; an error means that there are none.
		_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, ambient, clearAll, 0)
	} else if found, err := exec.LookPath(path); err != nil {
		fail(exitNotFound, err.Error())
	} else {
		path = found
	}
	// Processes whose parent has ended become children of this process, not of PID 1.
	if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0); errno != 0 {
		fail(exitUsage, "cannot become a subreaper: "+errno.Error())
	}
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2,
		syscall.SIGWINCH)
	program, err := start(path, *folder, files.root, *control, *tty)
	if err != nil {
		fail(exitNotFound, fmt.Sprintf("cannot start %s: %v", path, err))
	}
	go passOn(signals, program)
	go killAtEnd(*control)
	os.Exit(reap(program))
}

func fail(status int, message string) {
	fmt.Fprintln(os.Stderr, "process-guard:", message)
	os.Exit(status)
}

// start starts the program in a session of its own, so that no signal of a terminal reaches it unasked.
func start(path, folder, root string, control int, tty bool) (int, error) {
	syscall.CloseOnExec(control)
	input := os.Stdin
	if control == 0 {
		null, err := os.Open(os.DevNull)
		if err != nil {
			return 0, err
		}
		input = null
	}
	return syscall.ForkExec(path, flag.Args(), &syscall.ProcAttr{
		Dir:   folder,
		Env:   os.Environ(),
		Files: []uintptr{input.Fd(), 1, 2},
		Sys:   &syscall.SysProcAttr{Setsid: true, Setctty: tty, Pdeathsig: syscall.SIGKILL, Chroot: root},
	})
}

func passOn(signals <-chan os.Signal, program int) {
	for each := range signals {
		// An error means that the program has ended.
		_ = syscall.Kill(program, each.(syscall.Signal))
	}
}

// killAtEnd kills all children at the end of the control file. Their children then become children of this process, and
// reap kills them.
func killAtEnd(control int) {
	_, _ = io.Copy(io.Discard, os.NewFile(uintptr(control), "control"))
	for _, child := range children(os.Getpid()) {
		_ = syscall.Kill(child, syscall.SIGKILL)
	}
}

// reap waits for the program, then kills and awaits what is left of it. It returns the exit status.
func reap(program int) int {
	status := 0
	ended := false
	for {
		var wait syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &wait, 0, nil)
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil: // No children are left.
			return status
		case pid == program:
			ended = true
			status = exitStatus(wait)
		}
		if ended {
			for _, child := range children(os.Getpid()) {
				_ = syscall.Kill(child, syscall.SIGKILL)
			}
		}
	}
}

func exitStatus(wait syscall.WaitStatus) int {
	if wait.Signaled() {
		return 128 + int(wait.Signal())
	}
	return wait.ExitStatus()
}
