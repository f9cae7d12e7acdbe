package main

import (
	"context"
	"io"
	"net"
	"strconv"

	"k8s.io/cri-streaming/pkg/streaming"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
)

// A streamingRuntime does what clients ask for at the addresses that the runtime gives out.
type streamingRuntime struct {
	runtime *processRuntime
}

// serveStreams serves the clients on the loopback interface. An address is valid once and for a minute.
func serveStreams(runtime *processRuntime) error {
	config := streaming.DefaultConfig
	config.Addr = "127.0.0.1:0"
	server, err := streaming.NewServer(config, streamingRuntime{runtime})
	if err != nil {
		return err
	}
	runtime.server = server
	go func() { exitOn(server.Start(true)) }()
	return nil
}

// Exec runs a command in a container.
func (s streamingRuntime) Exec(ctx context.Context, id string, command []string, in io.Reader, out, err io.WriteCloser, tty bool, sizes <-chan remotecommand.TerminalSize) error {
	c, failure := s.runtime.find(id)
	if failure != nil {
		return failure
	}
	return c.exec(ctx, command, clientOf(in, out, err, tty, sizes))
}

// Attach connects a client to a container.
func (s streamingRuntime) Attach(ctx context.Context, id string, in io.Reader, out, err io.WriteCloser, tty bool, sizes <-chan remotecommand.TerminalSize) error {
	c, failure := s.runtime.find(id)
	if failure != nil {
		return failure
	}
	return c.attach(ctx, clientOf(in, out, err, tty, sizes))
}

// clientOf leaves out what is nil: an interface that holds a nil stream is not nil itself.
func clientOf(in io.Reader, out, err io.WriteCloser, tty bool, sizes <-chan remotecommand.TerminalSize) streams {
	client := streams{in: in, tty: tty, sizes: sizes}
	if out != nil {
		client.out = out
	}
	if err != nil {
		client.err = err
	}
	return client
}

// PortForward connects a client to a port of this machine, where the processes of all pods listen.
func (s streamingRuntime) PortForward(ctx context.Context, _ string, port int32, client io.ReadWriteCloser) error {
	dialer := net.Dialer{}
	connection, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort("localhost", strconv.Itoa(int(port))))
	if err != nil {
		return err
	}
	defer connection.Close()
	go func() {
		_, _ = io.Copy(connection, client)
		_ = connection.(*net.TCPConn).CloseWrite() // An error means that the connection is closed.
	}()
	_, err = io.Copy(client, connection)
	return err
}
