package main

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"time"

	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
)

// The longest line that is written in one part, as by container runtimes.
const longestLine = 16 << 10

// A logFile is the log of a container in the format that the kubelet reads.
type logFile struct {
	mu   sync.Mutex
	path string
	file *os.File
}

func openLog(path string) (*logFile, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	log := &logFile{path: path}
	return log, log.reopen()
}

// reopen continues in a new file after the kubelet has moved the old one away.
func (l *logFile) reopen() error {
	file, err := os.OpenFile(l.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o640)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		l.file.Close()
	}
	l.file = file
	return nil
}

func (l *logFile) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.file.Close()
}

func (l *logFile) line(stream runtimeapi.LogStreamType, tag runtimeapi.LogTag, text []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	line := time.Now().UTC().AppendFormat(nil, time.RFC3339Nano)
	line = append(line, ' ')
	line = append(line, stream...)
	line = append(line, ' ')
	line = append(line, tag...)
	line = append(line, ' ')
	line = append(line, text...)
	_, _ = l.file.Write(append(line, '\n')) // A full disk must not stop the container.
}

// A lineWriter cuts the output of one stream into lines.
type lineWriter struct {
	log    *logFile
	stream runtimeapi.LogStreamType
	rest   []byte
}

func (w *lineWriter) write(output []byte) {
	w.rest = append(w.rest, output...)
	for {
		end := bytes.IndexByte(w.rest, '\n')
		switch {
		case end >= 0 && end <= longestLine:
			w.log.line(w.stream, runtimeapi.LogTagFull, w.rest[:end])
			w.rest = w.rest[end+1:]
		case len(w.rest) > longestLine:
			w.log.line(w.stream, runtimeapi.LogTagPartial, w.rest[:longestLine])
			w.rest = w.rest[longestLine:]
		default:
			return
		}
	}
}

// end writes what comes after the last line end.
func (w *lineWriter) end() {
	if len(w.rest) > 0 {
		w.log.line(w.stream, runtimeapi.LogTagPartial, w.rest)
		w.rest = nil
	}
}
