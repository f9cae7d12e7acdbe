package main

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Website is the kind of examples/website-operator/src/main/crds, as a developer would write it; the copies are what
// controller-gen would make.
type Website struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              WebsiteSpec   `json:"spec"`
	Status            WebsiteStatus `json:"status,omitempty"`
}

type WebsiteSpec struct {
	Pages    map[string]string `json:"pages"`
	Replicas int32             `json:"replicas"`
	Host     string            `json:"host,omitempty"`
	Image    string            `json:"image,omitempty"`
}

type WebsiteStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	ReadyReplicas      int32              `json:"readyReplicas"`
	URL                string             `json:"url,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

type WebsiteList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Website `json:"items"`
}

func (w *Website) DeepCopy() *Website {
	copied := *w
	copied.ObjectMeta = *w.ObjectMeta.DeepCopy()
	copied.Spec.Pages = maps.Clone(w.Spec.Pages)
	copied.Status.Conditions = slices.Clone(w.Status.Conditions) // A condition has no pointer but the zone of its time.
	return &copied
}

func (w *Website) DeepCopyObject() runtime.Object { return w.DeepCopy() }

func (l *WebsiteList) DeepCopyObject() runtime.Object {
	copied := *l
	copied.ListMeta = *l.ListMeta.DeepCopy()
	copied.Items = make([]Website, len(l.Items))
	for i := range l.Items {
		copied.Items[i] = *l.Items[i].DeepCopy()
	}
	return &copied
}
