// Process-kubelet is the kubelet, with a container runtime whose containers are processes of this machine. It needs no
// privileges, no images and no container runtime, and does no more to the machine than its processes do.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"time"

	noop "go.opentelemetry.io/otel/trace/noop"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/component-base/version"
	"k8s.io/klog/v2"
	kubeletapp "k8s.io/kubernetes/cmd/kubelet/app"
	"k8s.io/kubernetes/cmd/kubelet/app/options"
	"k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/kubelet"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
	cadvisortest "k8s.io/kubernetes/pkg/kubelet/cadvisor/testing"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	kubeletutil "k8s.io/kubernetes/pkg/kubelet/util"
	"k8s.io/kubernetes/pkg/util/oom"
	"k8s.io/kubernetes/pkg/volume/util/hostutil"
)

// Settings are the options of the command line.
type settings struct {
	kubeconfig, node, folder, guard string
	certificate, key, clientCA      string
	port                            int
	longestRestartDelay             time.Duration
	webSockets                      bool
	images                          *images
}

func parse() settings {
	s := settings{images: newImages()}
	flag.StringVar(&s.kubeconfig, "kubeconfig", "", "the kubeconfig of an administrator")
	flag.StringVar(&s.node, "node", "node-1", "the name of the node")
	flag.StringVar(&s.folder, "folder", "", "the folder for all files")
	flag.StringVar(&s.guard, "guard", "", "the program process-guard; by default the one beside this program")
	flag.StringVar(&s.certificate, "tls-cert-file", "", "the certificate to serve with")
	flag.StringVar(&s.key, "tls-private-key-file", "", "its key")
	flag.StringVar(&s.clientCA, "client-ca-file", "", "the authority of clients")
	flag.IntVar(&s.port, "port", 10250, "the port to serve on, at 127.0.0.1")
	flag.DurationVar(&s.longestRestartDelay, "longest-restart-delay", 5*time.Minute,
		"the longest time before a container is restarted, at least 1s; the first is 10s or this")
	flag.BoolVar(&s.webSockets, "websockets", true, "let the API server pass WebSockets on; otherwise it translates them")
	flag.Func("image", `what containers of an image run without a command: NAME=["COMMAND", "ARGUMENT"]`, s.images.setProgram)
	flag.Func("missing-image", "an image whose pull fails: NAME", s.images.setMissing)
	showVersion := flag.Bool("version", false, "print the version")
	flag.Parse()
	if *showVersion {
		fmt.Println("Kubernetes", version.Get().GitVersion)
		os.Exit(0)
	}
	if flag.NArg() > 0 {
		exitOn(fmt.Errorf("unknown argument: %s", flag.Arg(0)))
	}
	return s
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "process-kubelet:", err)
		os.Exit(1)
	}
}

func main() {
	s := parse()
	exitOn(run(context.Background(), s))
}

func run(ctx context.Context, s settings) error {
	if s.folder == "" {
		return errors.New("-folder is missing")
	}
	if s.guard == "" {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		s.guard = filepath.Join(filepath.Dir(self), "process-guard")
	}
	folder, err := shortPath(s.folder)
	if err != nil {
		return err
	}
	s.folder = folder
	server, err := configuration(s)
	if err != nil {
		return err
	}
	dependencies, err := dependenciesOf(ctx, s, server)
	if err != nil {
		return err
	}
	if err := createNode(ctx, dependencies.KubeClient, s.node); err != nil {
		return fmt.Errorf("cannot create the node %s: %w", s.node, err)
	}
	if err := kubeletapp.RunKubelet(ctx, server, dependencies); err != nil {
		return err
	}
	select {} // Until a signal ends the program; process-guard ends the containers.
}

// The path of a socket has at most 107 characters. The kubelet's longest is /kubelet/pod-resources/ and ten digits.
const longestFolder = 107 - 34

// shortPath returns another path of a folder if its own is too long for the sockets in it.
func shortPath(folder string) (string, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	if len(folder) <= longestFolder {
		return folder, nil
	}
	if err := os.Chdir(folder); err != nil {
		return "", err
	}
	return fmt.Sprintf("/proc/%d/cwd", os.Getpid()), nil
}

// configuration returns the configuration of the kubelet: upstream's defaults without what takes privileges.
func configuration(s settings) (*options.KubeletServer, error) {
	if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(map[string]bool{
		string(features.ExtendWebSocketsToKubelet):  s.webSockets,
		string(features.KubeletCrashLoopBackOffMax): true,
	}); err != nil {
		return nil, err
	}
	flags := options.NewKubeletFlags()
	flags.RootDirectory = filepath.Join(s.folder, "kubelet")
	flags.HostnameOverride = s.node
	flags.CloudProvider = "external" // So that it keeps the address of createNode.
	config, err := options.NewKubeletConfiguration()
	if err != nil {
		return nil, err
	}
	config.Address, config.Port, config.ReadOnlyPort, config.HealthzPort = "127.0.0.1", int32(s.port), 0, 0
	config.TLSCertFile, config.TLSPrivateKeyFile = s.certificate, s.key
	config.Authentication.X509.ClientCAFile = s.clientCA
	config.Authentication.Anonymous.Enabled = false
	config.Authentication.Webhook.Enabled = true
	config.Authorization.Mode = kubeletconfig.KubeletAuthorizationModeWebhook
	config.PodLogsDir = filepath.Join(s.folder, "logs")
	config.MaxPods = 500
	config.CgroupsPerQOS = false
	config.EnforceNodeAllocatable = nil
	config.EvictionHard = map[string]string{}
	config.ImageGCHighThresholdPercent = 100
	config.EnableControllerAttachDetach = false
	config.MakeIPTablesUtilChains = false
	config.FailSwapOn = false
	config.ResolverConfig = ""
	config.ClusterDNS, config.ClusterDomain = []string{"10.0.0.10"}, "cluster.local" // No process sees it.
	config.SyncFrequency = metav1.Duration{Duration: 10 * time.Second}
	config.NodeStatusUpdateFrequency = metav1.Duration{Duration: 10 * time.Second}
	config.RegistryPullQPS = 0
	config.SerializeImagePulls = false
	config.EventRecordQPS = 0
	config.KubeAPIQPS, config.KubeAPIBurst = 1000, 1000
	config.CrashLoopBackOff.MaxContainerRestartPeriod = &metav1.Duration{Duration: s.longestRestartDelay}
	return &options.KubeletServer{KubeletFlags: *flags, KubeletConfiguration: *config}, nil
}

func dependenciesOf(ctx context.Context, s settings, server *options.KubeletServer) (*kubelet.Dependencies, error) {
	config, err := clientcmd.BuildConfigFromFlags("", s.kubeconfig)
	if err != nil {
		return nil, err
	}
	config.QPS = -1
	config.UserAgent = "process-kubelet"
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	tls, err := kubeletapp.InitializeTLS(ctx, &server.KubeletFlags, &server.KubeletConfiguration)
	if err != nil {
		return nil, err
	}
	auth, runAuth, err := kubeletapp.BuildAuth(types.NodeName(s.node), client, server.KubeletConfiguration)
	if err != nil {
		return nil, err
	}
	runAuth(ctx.Done())
	plugins, err := kubeletapp.ProbeVolumePlugins(ctx, utilfeature.DefaultFeatureGate)
	if err != nil {
		return nil, err
	}
	apiServer, err := url.Parse(config.Host)
	if err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(apiServer.Host)
	if err != nil {
		return nil, err
	}
	containers := filepath.Join(s.folder, "containers")
	if err := os.MkdirAll(containers, 0o755); err != nil {
		return nil, err
	}
	runtime := &processRuntime{
		namespace:             findNamespace(s.guard, containers),
		ContainerStatsManager: noStatistics{},
		images:                s.images,
		guard:                 s.guard,
		folder:                containers,
		podIP:                 machineAddress(),
		env:                   []string{"KUBERNETES_SERVICE_HOST=" + host, "KUBERNETES_SERVICE_PORT=" + port, "KUBERNETES_SERVICE_PORT_HTTPS=" + port},
		sandboxes:             map[string]*sandbox{},
		containers:            map[string]*container{},
	}
	if err := serveStreams(runtime); err != nil {
		return nil, err
	}
	return &kubelet.Dependencies{
		Auth:                      auth,
		KubeClient:                client,
		HeartbeatClient:           client,
		EventClient:               client.CoreV1(),
		RemoteRuntimeService:      runtime,
		RemoteImageService:        s.images,
		CAdvisorInterface:         &machine{Fake: cadvisortest.Fake{NodeName: s.node}},
		OSInterface:               ownFiles{},
		ContainerManager:          cm.NewStubContainerManager(),
		VolumePlugins:             plugins,
		TLSOptions:                tls,
		OOMAdjuster:               oom.NewFakeOOMAdjuster(),
		Mounter:                   noMounts(),
		Subpather:                 plainSubpath{},
		HostUtil:                  unmountedHost{hostutil.NewHostUtil()},
		PodStartupLatencyTracker:  kubeletutil.NewPodStartupLatencyTracker(),
		NodeStartupLatencyTracker: kubeletutil.NewNodeStartupLatencyTracker(klog.FromContext(ctx)),
		TracerProvider:            noop.NewTracerProvider(),
	}, nil
}
