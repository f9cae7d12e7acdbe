// Command freshness runs informers of client-go that follow config maps, and tells how far they lag behind: the
// counterpart of dev.clientgo.benchmarks.freshness.Follower, which has the protocol.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

const farBehind = 3000

// lag is how far one informer lags behind, in milliseconds.
type lag struct {
	mu          sync.Mutex
	sequence    int64
	writtenAt   int64
	countedFrom int64
	countedTo   int64
	far         int64
	longest     int64
}

func (l *lag) see(sequence, writtenAt, now int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if sequence <= l.sequence {
		return
	}
	if l.sequence != 0 {
		oldestUnseen := l.writtenAt
		if sequence == l.sequence+1 {
			oldestUnseen = writtenAt
		}
		l.count(oldestUnseen, now)
	}
	l.sequence = sequence
	l.writtenAt = writtenAt
}

// count takes the informer as behind from the first write that it had not seen until now. Writes that a list skips are
// not known: the one before them is a few milliseconds older.
func (l *lag) count(oldestUnseen, now int64) {
	l.longest = max(l.longest, now-max(oldestUnseen, l.countedFrom))
	l.far += max(0, now-max(oldestUnseen+farBehind, l.countedTo))
	l.countedTo = now
}

func (l *lag) reset(now int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.countedFrom, l.countedTo, l.far, l.longest = now, now, 0, 0
}

func (l *lag) figures() (far, longest int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.far, l.longest
}

func (l *lag) seen() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sequence
}

func now() int64 { return time.Now().UnixMilli() }

func fail(err error) {
	fmt.Fprintln(os.Stderr, "freshness:", err)
	os.Exit(1)
}

func observe(l *lag, object any) {
	configMap, ok := object.(*corev1.ConfigMap)
	if !ok {
		return
	}
	sequence, err := strconv.ParseInt(configMap.Data["sequence"], 10, 64)
	if err != nil {
		return
	}
	writtenAt, err := strconv.ParseInt(configMap.Data["writtenAt"], 10, 64)
	if err != nil {
		return
	}
	l.see(sequence, writtenAt, now())
}

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("usage: freshness KUBECONFIG INFORMERS"))
	}
	count, err := strconv.Atoi(os.Args[2])
	if err != nil {
		fail(err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	if err != nil {
		fail(err)
	}
	config.QPS = -1 // No limit, as there is none on the Java side.
	clientset, err := kubernetes.NewForConfig(config)
	if err != nil {
		fail(err)
	}
	stop := make(chan struct{})
	defer close(stop)
	lags := make([]*lag, count)
	for i := range lags {
		l := &lag{}
		lags[i] = l
		factory := informers.NewSharedInformerFactoryWithOptions(clientset, 0, informers.WithNamespace("default"))
		informer := factory.Core().V1().ConfigMaps().Informer()
		if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    func(object any) { observe(l, object) },
			UpdateFunc: func(_, object any) { observe(l, object) },
		}); err != nil {
			fail(err)
		}
		factory.Start(stop)
		factory.WaitForCacheSync(stop)
	}
	fmt.Println("synced")
	begin := now()
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		command, argument, _ := strings.Cut(lines.Text(), " ")
		switch command {
		case "reset":
			begin = now()
			for _, l := range lags {
				l.reset(begin)
			}
			fmt.Println("ok")
		case "figures":
			end := now()
			var far, longest int64
			for _, l := range lags {
				f, lo := l.figures()
				far += f
				longest = max(longest, lo)
			}
			fmt.Printf("%d %d %d\n", far, (end-begin)*int64(count), longest)
		case "await":
			sequence, err := strconv.ParseInt(argument, 10, 64)
			if err != nil {
				fail(err)
			}
			for _, l := range lags {
				for l.seen() < sequence {
					time.Sleep(20 * time.Millisecond)
				}
			}
			fmt.Println(now())
		}
	}
}
