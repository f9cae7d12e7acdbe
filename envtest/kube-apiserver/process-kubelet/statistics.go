package main

import (
	"context"

	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
)

// noStatistics has no statistics of any container.
type noStatistics struct{}

// ContainerStats returns nothing.
func (noStatistics) ContainerStats(_ context.Context, id string) (*runtimeapi.ContainerStats, error) {
	return nil, notFound("statistics of container", id)
}

// ListContainerStats returns nothing.
func (noStatistics) ListContainerStats(context.Context, *runtimeapi.ContainerStatsFilter) ([]*runtimeapi.ContainerStats, error) {
	return nil, nil
}

// PodSandboxStats returns nothing.
func (noStatistics) PodSandboxStats(_ context.Context, id string) (*runtimeapi.PodSandboxStats, error) {
	return nil, notFound("statistics of sandbox", id)
}

// ListPodSandboxStats returns nothing.
func (noStatistics) ListPodSandboxStats(context.Context, *runtimeapi.PodSandboxStatsFilter) ([]*runtimeapi.PodSandboxStats, error) {
	return nil, nil
}

// ListMetricDescriptors returns nothing.
func (noStatistics) ListMetricDescriptors(context.Context) ([]*runtimeapi.MetricDescriptor, error) {
	return nil, nil
}

// ListPodSandboxMetrics returns nothing.
func (noStatistics) ListPodSandboxMetrics(context.Context) ([]*runtimeapi.PodSandboxMetrics, error) {
	return nil, nil
}
