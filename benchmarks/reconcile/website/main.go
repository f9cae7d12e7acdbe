// Command website is the operator of examples/website-operator on controller-runtime, for
// dev.clientgo.benchmarks.operators.Operators: the same children, registry, finalizer, status and events.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

const (
	name      = "website-operator"
	namespace = "website-system"
	registry  = "websites"
	finalizer = "web.example.com/registry"
	managedBy = "app.kubernetes.io/managed-by"
)

type reconciler struct {
	client.Client
	events events.EventRecorder
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	site := &Website{}
	if err := r.Get(ctx, request.NamespacedName, site); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !site.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.unregister(ctx, site)
	}
	if controllerutil.AddFinalizer(site, finalizer) {
		if err := r.Update(ctx, site); err != nil {
			return ctrl.Result{}, err
		}
	}
	place := metav1.ObjectMeta{Namespace: site.Namespace, Name: site.Name}
	pages := &corev1.ConfigMap{ObjectMeta: place}
	if err := r.apply(ctx, site, pages, "ConfigMap", func() { pages.Data = site.Spec.Pages }); err != nil {
		return ctrl.Result{}, err
	}
	service := &corev1.Service{ObjectMeta: place}
	if err := r.apply(ctx, site, service, "Service", func() { fillService(&service.Spec, site) }); err != nil {
		return ctrl.Result{}, err
	}
	servers := &appsv1.Deployment{ObjectMeta: place}
	if err := r.apply(ctx, site, servers, "Deployment", func() { fillDeployment(&servers.Spec, site) }); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.register(ctx, site); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.report(ctx, site, servers)
}

// apply creates a child, or changes it if it is not as it should be.
func (r *reconciler) apply(ctx context.Context, site *Website, child client.Object, kind string, fill func()) error {
	done, err := controllerutil.CreateOrUpdate(ctx, r.Client, child, func() error {
		labels := child.GetLabels()
		if labels == nil {
			labels = map[string]string{}
		}
		maps.Copy(labels, allLabels(site))
		child.SetLabels(labels)
		fill()
		return controllerutil.SetControllerReference(site, child, r.Scheme())
	})
	switch {
	case err != nil:
		r.events.Eventf(site, nil, corev1.EventTypeWarning, "ChildFailed", "Apply"+kind, "%s: %v", kind, err)
	case done == controllerutil.OperationResultCreated:
		r.events.Eventf(site, child, corev1.EventTypeNormal, "Created", "Create"+kind, "created %s %s", kind, site.Name)
	case done != controllerutil.OperationResultNone:
		r.events.Eventf(site, child, corev1.EventTypeNormal, "Updated", "Apply"+kind, "updated %s %s", kind, site.Name)
	}
	return err
}

func selected(site *Website) map[string]string {
	return map[string]string{"app.kubernetes.io/name": "website", "app.kubernetes.io/instance": site.Name}
}

func allLabels(site *Website) map[string]string {
	labels := selected(site)
	labels[managedBy] = name
	return labels
}

func fillService(spec *corev1.ServiceSpec, site *Website) {
	spec.Selector = selected(site)
	if len(spec.Ports) != 1 {
		spec.Ports = make([]corev1.ServicePort, 1)
	}
	spec.Ports[0].Name, spec.Ports[0].Port = "http", 80
	spec.Ports[0].TargetPort = intstr.FromString("http")
}

// fillDeployment sets only fields that the operator has an opinion about: the others keep the server's defaults, so that
// a Deployment that is as it should be is not written.
func fillDeployment(spec *appsv1.DeploymentSpec, site *Website) {
	spec.Replicas = &site.Spec.Replicas
	spec.Selector = &metav1.LabelSelector{MatchLabels: selected(site)}
	spec.Template.Labels = allLabels(site)
	spec.Template.Annotations = map[string]string{"web.example.com/pages-hash": hash(site.Spec.Pages)}
	pod := &spec.Template.Spec
	pod.AutomountServiceAccountToken = new(bool)
	if len(pod.Volumes) != 1 || pod.Volumes[0].ConfigMap == nil {
		pod.Volumes = []corev1.Volume{{VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{}}}}
	}
	pod.Volumes[0].Name, pod.Volumes[0].ConfigMap.Name = "pages", site.Name
	if len(pod.Containers) != 1 || len(pod.Containers[0].Ports) != 1 || pod.Containers[0].ReadinessProbe == nil {
		pod.Containers = []corev1.Container{{Ports: make([]corev1.ContainerPort, 1), ReadinessProbe: &corev1.Probe{}}}
	}
	server := &pod.Containers[0]
	server.Name, server.Image = "nginx", site.Spec.Image
	server.Ports[0].Name, server.Ports[0].ContainerPort = "http", 8080
	server.VolumeMounts = []corev1.VolumeMount{{Name: "pages", MountPath: "/usr/share/nginx/html", ReadOnly: true}}
	server.ReadinessProbe.TCPSocket = &corev1.TCPSocketAction{Port: intstr.FromString("http")}
	nonRoot := true
	server.SecurityContext = &corev1.SecurityContext{
		RunAsNonRoot:             &nonRoot,
		AllowPrivilegeEscalation: new(bool),
		Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
	}
}

func hash(pages map[string]string) string {
	digest := sha256.New()
	for _, page := range slices.Sorted(maps.Keys(pages)) {
		fmt.Fprintf(digest, "%d %s%d %s", len(page), page, len(pages[page]), pages[page])
	}
	return hex.EncodeToString(digest.Sum(nil)[:8])
}

func key(site *Website) string { return site.Namespace + "." + site.Name }

func url(site *Website) string {
	if site.Spec.Host != "" {
		return "http://" + site.Spec.Host + "/"
	}
	return fmt.Sprintf("http://%s.%s.svc/", site.Name, site.Namespace)
}

// register adds the site to the registry; one key needs no lock, so a merge patch has no conflicts.
func (r *reconciler) register(ctx context.Context, site *Website) error {
	list := &corev1.ConfigMap{}
	err := r.Get(ctx, types.NamespacedName{Namespace: namespace, Name: registry}, list)
	if errors.IsNotFound(err) {
		list.Namespace, list.Name = namespace, registry
		list.Labels = map[string]string{managedBy: name}
		list.Data = map[string]string{key(site): url(site)}
		return r.Create(ctx, list)
	}
	if err != nil || list.Data[key(site)] == url(site) {
		return err
	}
	before := list.DeepCopy()
	if list.Data == nil {
		list.Data = map[string]string{}
	}
	list.Data[key(site)] = url(site)
	return r.Patch(ctx, list, client.MergeFrom(before))
}

func (r *reconciler) unregister(ctx context.Context, site *Website) error {
	if !controllerutil.ContainsFinalizer(site, finalizer) {
		return nil
	}
	list := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: registry}}
	patch := client.RawPatch(types.MergePatchType, fmt.Appendf(nil, `{"data":{%q:null}}`, key(site)))
	if err := client.IgnoreNotFound(r.Patch(ctx, list, patch)); err != nil {
		return err
	}
	r.events.Eventf(site, nil, corev1.EventTypeNormal, "Unregistered", "Unregister", "removed from the registry")
	controllerutil.RemoveFinalizer(site, finalizer)
	return r.Update(ctx, site)
}

// report writes the status, if it has changed.
func (r *reconciler) report(ctx context.Context, site *Website, servers *appsv1.Deployment) error {
	before := site.DeepCopy()
	now, wanted := servers.Status, site.Spec.Replicas
	ready := now.ObservedGeneration >= servers.Generation && now.UpdatedReplicas >= wanted && now.AvailableReplicas >= wanted
	reason, message := "RollingOut", fmt.Sprintf("%d of %d replicas have the newest pages", now.UpdatedReplicas, wanted)
	if ready {
		reason, message = "AllReplicasAvailable", fmt.Sprintf("%d of %d available", wanted, wanted)
	}
	site.Status.ObservedGeneration, site.Status.URL, site.Status.ReadyReplicas = site.Generation, url(site), now.ReadyReplicas
	set := func(condition string, holds bool) {
		status := metav1.ConditionFalse
		if holds {
			status = metav1.ConditionTrue
		}
		meta.SetStatusCondition(&site.Status.Conditions, metav1.Condition{Type: condition, Status: status,
			ObservedGeneration: site.Generation, Reason: reason, Message: message})
	}
	set("Ready", ready)
	set("Progressing", !ready)
	set("Degraded", false)
	if equality.Semantic.DeepEqual(before.Status, site.Status) {
		return nil
	}
	return r.Status().Patch(ctx, site, client.MergeFrom(before))
}

func run() error {
	ctrl.SetLogger(logr.Discard())
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return err
	}
	version := schema.GroupVersion{Group: "web.example.com", Version: "v1"}
	scheme.AddKnownTypes(version, &Website{}, &WebsiteList{})
	metav1.AddToGroupVersion(scheme, version)
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                  scheme,
		Metrics:                 metricsserver.Options{BindAddress: "127.0.0.1:0"},
		HealthProbeBindAddress:  "127.0.0.1:0",
		LeaderElection:          true,
		LeaderElectionID:        name,
		LeaderElectionNamespace: namespace,
	})
	if err != nil {
		return err
	}
	if err := manager.AddHealthzCheck("ping", healthz.Ping); err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(manager).
		For(&Website{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&corev1.ConfigMap{}).
		Owns(&appsv1.Deployment{}).
		Owns(&corev1.Service{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: 4}).
		Complete(&reconciler{Client: manager.GetClient(), events: manager.GetEventRecorder(name)})
	if err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "website:", err)
		os.Exit(1)
	}
}
