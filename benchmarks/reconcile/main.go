// Command reconcile runs one controller of controller-runtime over config maps and tells what it costs: the counterpart
// of dev.clientgo.benchmarks.controller.ReconcileBench, which has the protocol.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

const unwritten = "0"

var patch = client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"annotations":{"bench/ts":"1"}}}`))

// bench counts what the reconciler does.
type bench struct {
	client     client.Client
	write      bool
	reconciles atomic.Int64
	settled    atomic.Int64
	goal       atomic.Int64
	reached    chan struct{}
	newest     atomic.Int64
	newestGoal atomic.Int64
	started    atomic.Int64
	startedCPU atomic.Int64
	half       int64
	halfTime   atomic.Int64
	halfCPU    atomic.Int64
}

func (b *bench) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	if b.started.Load() == 0 && b.started.CompareAndSwap(0, time.Now().UnixNano()) {
		b.startedCPU.Store(int64(cpu()))
	}
	b.reconciles.Add(1)
	var configMap corev1.ConfigMap
	if err := b.client.Get(ctx, request.NamespacedName, &configMap); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if b.write && configMap.Annotations["bench/ts"] == unwritten {
		return reconcile.Result{}, b.client.Patch(ctx, &configMap, patch)
	}
	if version, err := strconv.ParseInt(configMap.ResourceVersion, 10, 64); err == nil && version > b.newest.Load() {
		b.newest.Store(version)
		if goal := b.newestGoal.Load(); goal > 0 && version >= goal && b.newestGoal.CompareAndSwap(goal, 0) {
			b.reached <- struct{}{}
		}
	}
	settled := b.settled.Add(1)
	if settled == b.half {
		b.halfTime.Store(time.Now().UnixNano())
		b.halfCPU.Store(int64(cpu()))
	}
	if settled == b.goal.Load() {
		b.reached <- struct{}{}
	}
	return reconcile.Result{}, nil
}

func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		fail(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func peakMegabytes() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	kilobytes, _ := strconv.ParseInt(strings.Fields(after)[0], 10, 64)
	return kilobytes / 1024
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "reconcile:", err)
	os.Exit(1)
}

func figures(name string, count int64, elapsed, used time.Duration) {
	fmt.Printf("%s_per_s=%.0f %s_cpu_us=%.1f ", name, float64(count)/elapsed.Seconds(), name,
		float64(used.Microseconds())/float64(count))
}

func main() {
	if len(os.Args) != 6 {
		fail(fmt.Errorf("usage: reconcile URL read|write OBJECTS WORKERS EVENTS"))
	}
	var numbers [3]int
	for i := range numbers {
		number, err := strconv.Atoi(os.Args[3+i])
		if err != nil {
			fail(err)
		}
		numbers[i] = number
	}
	url, objects, workers, events := os.Args[1], numbers[0], numbers[1], numbers[2]
	ctrl.SetLogger(logr.Discard())
	begin, cpuBefore := time.Now(), cpu()
	manager, err := ctrl.NewManager(&rest.Config{Host: url, QPS: -1}, ctrl.Options{
		Metrics: metricsserver.Options{BindAddress: "0"},
		MapperProvider: func(*rest.Config, *http.Client) (meta.RESTMapper, error) {
			mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{corev1.SchemeGroupVersion})
			mapper.Add(corev1.SchemeGroupVersion.WithKind("ConfigMap"), meta.RESTScopeNamespace)
			return mapper, nil
		},
	})
	if err != nil {
		fail(err)
	}
	b := &bench{client: manager.GetClient(), write: os.Args[2] == "write", reached: make(chan struct{}, 1), half: int64(objects) / 2}
	b.goal.Store(int64(objects))
	again := make(chan []reconcile.Request)
	err = ctrl.NewControllerManagedBy(manager).
		For(&corev1.ConfigMap{}).
		WatchesRawSource(source.Func(func(ctx context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
			go func() {
				for requests := range again {
					for _, request := range requests {
						queue.Add(request)
					}
				}
			}()
			return nil
		})).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).
		Complete(b)
	if err != nil {
		fail(err)
	}
	go func() {
		if err := manager.Start(context.Background()); err != nil {
			fail(err)
		}
	}()
	<-b.reached
	end, cpuEnd := time.Now(), cpu()
	started := time.Unix(0, b.started.Load())
	fmt.Printf("total_s=%.2f total_cpu_s=%.2f sync_s=%.2f ", end.Sub(begin).Seconds(), (cpuEnd - cpuBefore).Seconds(),
		started.Sub(begin).Seconds())
	figures("first", int64(objects), end.Sub(started), cpuEnd-time.Duration(b.startedCPU.Load()))
	if b.write {
		rest := int64(objects) - b.half
		figures("warm", rest, end.Sub(time.Unix(0, b.halfTime.Load())), cpuEnd-time.Duration(b.halfCPU.Load()))
	} else {
		b.goal.Store(2 * int64(objects))
		var list corev1.ConfigMapList
		if err := manager.GetClient().List(context.Background(), &list, client.UnsafeDisableDeepCopy); err != nil {
			fail(err)
		}
		requests := make([]reconcile.Request, len(list.Items))
		for i := range list.Items {
			requests[i].Namespace, requests[i].Name = list.Items[i].Namespace, list.Items[i].Name
		}
		begin, cpuBefore = time.Now(), cpu()
		again <- requests
		<-b.reached
		figures("again", int64(objects), time.Since(begin), cpu()-cpuBefore)
	}
	if events > 0 {
		storm(b, url, events)
	}
	fmt.Printf("peak_rss_mb=%d\n", peakMegabytes())
}

// storm has the server change objects as fast as it can, and waits for the reconcile of the last change.
func storm(b *bench, url string, events int) {
	b.goal.Store(-1)
	reconciles := b.reconciles.Load()
	begin, cpuBefore := time.Now(), cpu()
	b.newestGoal.Store(b.newest.Load() + int64(events))
	response, err := http.Post(fmt.Sprintf("%s/control/storm?count=%d&rate=0", url, events), "", nil)
	if err != nil {
		fail(err)
	}
	_, _ = io.Copy(io.Discard, response.Body)
	<-b.reached
	figures("event", int64(events), time.Since(begin), cpu()-cpuBefore)
	fmt.Printf("storm_reconciles=%d ", b.reconciles.Load()-reconciles)
}
