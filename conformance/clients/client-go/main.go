// Command conformance runs an informer of client-go as the scripts of ../../scripts demand; ../PROTOCOL.md describes it.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

var output sync.Mutex

func printLine(line map[string]any) {
	bytes, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	output.Lock()
	defer output.Unlock()
	fmt.Println(string(bytes))
}

func describe(object *corev1.ConfigMap) map[string]any {
	return map[string]any{
		"name":    object.Name,
		"uid":     object.UID,
		"version": object.ResourceVersion,
		"value":   object.Data["value"],
	}
}

func recorder() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) {
			line := describe(object.(*corev1.ConfigMap))
			line["event"] = "add"
			printLine(line)
		},
		UpdateFunc: func(oldObject, object any) {
			line := describe(object.(*corev1.ConfigMap))
			line["event"] = "update"
			line["oldVersion"] = oldObject.(*corev1.ConfigMap).ResourceVersion
			line["oldValue"] = oldObject.(*corev1.ConfigMap).Data["value"]
			printLine(line)
		},
		DeleteFunc: func(object any) {
			unknown, isUnknown := object.(cache.DeletedFinalStateUnknown)
			if isUnknown {
				object = unknown.Obj
			}
			line := describe(object.(*corev1.ConfigMap))
			line["event"] = "delete"
			line["finalStateUnknown"] = isUnknown
			printLine(line)
		},
	}
}

func badHandler(kind string) cache.ResourceEventHandler {
	act := func() {
		if kind == "stuck" {
			select {}
		}
		panic("the handler of the script panics")
	}
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { act() },
		UpdateFunc: func(any, any) { act() },
		DeleteFunc: func(any) { act() },
	}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func seconds(text string) time.Duration {
	if text == "" {
		return 0
	}
	count, err := strconv.Atoi(text)
	must(err)
	return time.Duration(count) * time.Second
}

func main() {
	options := map[string]string{}
	for _, argument := range os.Args[2:] {
		name, value, _ := strings.Cut(argument, "=")
		options[name] = value
	}
	config := &rest.Config{Host: os.Args[1], QPS: -1, Timeout: seconds(options["timeout"])}
	clientset, err := kubernetes.NewForConfig(config)
	must(err)
	factory := informers.NewSharedInformerFactory(clientset, seconds(options["resync"]))
	informer := factory.Core().V1().ConfigMaps().Informer()
	must(informer.SetWatchErrorHandlerWithContext(
		func(ctx context.Context, reflector *cache.Reflector, err error) {
			printLine(map[string]any{"report": err.Error()})
			cache.DefaultWatchErrorHandler(ctx, reflector, err)
		}))
	if options["handler"] != "" {
		_, err = informer.AddEventHandler(badHandler(options["handler"]))
		must(err)
	}
	_, err = informer.AddEventHandler(recorder())
	must(err)
	factory.StartWithContext(context.Background())
	commands := bufio.NewScanner(os.Stdin)
	for commands.Scan() && commands.Text() == "store" {
		store := []map[string]any{}
		for _, object := range informer.GetStore().List() {
			store = append(store, describe(object.(*corev1.ConfigMap)))
		}
		printLine(map[string]any{"store": store})
	}
}
