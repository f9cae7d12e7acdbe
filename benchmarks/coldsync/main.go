// Command coldsync starts informers of client-go one after the other, and tells when each is synced: the counterpart of
// dev.clientgo.benchmarks.coldsync.SyncProgram, which has the protocol.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

func fail(err error) {
	fmt.Fprintln(os.Stderr, "coldsync:", err)
	os.Exit(1)
}

func configuration(server string) (*rest.Config, error) {
	if strings.HasPrefix(server, "http:") {
		return &rest.Config{Host: server}, nil
	}
	return clientcmd.BuildConfigFromFlags("", server)
}

// sync starts an informer and returns when its handler has had all objects. The function that it returns stops it.
func sync(clientset kubernetes.Interface, resource string, expected int64) func() {
	factory := informers.NewSharedInformerFactory(clientset, 0)
	var informer cache.SharedIndexInformer
	if resource == "pods" {
		informer = factory.Core().V1().Pods().Informer()
	} else {
		informer = factory.Core().V1().ConfigMaps().Informer()
	}
	var adds atomic.Int64
	handler, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(any) { adds.Add(1) }})
	if err != nil {
		fail(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	factory.StartWithContext(ctx)
	<-handler.HasSyncedChecker().Done()
	if adds.Load() < expected {
		fail(fmt.Errorf("expected %d objects or more, got %d", expected, adds.Load()))
	}
	return func() {
		cancel()
		factory.Shutdown()
	}
}

func main() {
	if len(os.Args) != 5 {
		fail(fmt.Errorf("usage: coldsync KUBECONFIG|URL CONTENT_TYPE pods|configmaps COUNT"))
	}
	count, err := strconv.ParseInt(os.Args[4], 10, 64)
	if err != nil {
		fail(err)
	}
	config, err := configuration(os.Args[1])
	if err != nil {
		fail(err)
	}
	config.ContentType = os.Args[2]
	config.AcceptContentTypes = os.Args[2] + ",application/json"
	config.QPS = -1 // No limit, as there is none on the Java side.
	clientset, err := kubernetes.NewForConfig(config)
	if err != nil {
		fail(err)
	}
	lines := bufio.NewScanner(os.Stdin)
	for {
		stop := sync(clientset, os.Args[3], count)
		fmt.Println("synced")
		lines.Scan()
		stop()
		runtime.GC()
		fmt.Println("ready")
		if !lines.Scan() {
			return
		}
	}
}
