import type * as core from '#api/core/v1';
import { mapItems, withChanged, withDefaults } from '../../copy-on-write.ts';
import { canonicalResources, setContainerDefaults } from './container-defaults.ts';
import { setPodResourcesDefaults } from './pod-level-resources.ts';
import { canonicalResourceList } from './quantities.ts';
import { setVolumeDefaults } from './volume-defaults.ts';

/**
 * Sets the defaults of every pod spec, in a pod and in a template. It first drops the fields whose feature gate is
 * off: no default depends on them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/defaults.go SetDefaults_PodSpec
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/{defaults,zz_generated.defaults}.go
 */
export function setPodSpecDefaults(spec: core.PodSpec): core.PodSpec {
  let result = withDefaults(spec, {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
  });
  result = withDefaults(result, { securityContext: {}, terminationGracePeriodSeconds: 30 });
  // Two names of one field, for clients that know only one of them. Upstream does this by conversion, not by
  // defaulting.
  const serviceAccountName = result.serviceAccountName || result.serviceAccount;
  if (serviceAccountName && result.serviceAccount !== result.serviceAccountName) {
    result = { ...result, serviceAccountName, serviceAccount: serviceAccountName };
  }
  result = withChanged(result, 'containers', (list) => mapItems(list, setContainerDefaults));
  result = withChanged(result, 'initContainers', (list) => mapItems(list, setContainerDefaults));
  result = withChanged(result, 'ephemeralContainers', (list) => mapItems(list, setContainerDefaults));
  result = withChanged(result, 'overhead', canonicalResourceList);
  result = withChanged(result, 'resources', canonicalResources);
  return withChanged(result, 'volumes', (list) => mapItems(list, setVolumeDefaults));
}

/**
 * Sets the defaults of a pod that a template does not have: a new default here changes no Deployment.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/defaults.go SetDefaults_Pod
 */
export function setPodOnlyDefaults(spec: core.PodSpec): core.PodSpec {
  let result = withDefaults(spec, { enableServiceLinks: true });
  // A conversion upstream, for old pods.
  if ((result.terminationGracePeriodSeconds ?? 0) < 0)
    result = { ...result, terminationGracePeriodSeconds: 1 };
  for (const field of ['containers', 'initContainers'] as const) {
    result = withChanged(result, field, (list) => mapItems(list, withRequestsFromLimits));
    if (result.hostNetwork) result = withChanged(result, field, (list) => mapItems(list, withHostPorts));
  }
  return setPodResourcesDefaults(result);
}

/** Sets the missing requests of a container to its limits. */
function withRequestsFromLimits(container: core.Container): core.Container {
  return withChanged(container, 'resources', (resources) => {
    const { requests = {}, limits = {} } = resources;
    const completed = withDefaults(requests, limits);
    return completed === requests ? resources : { ...resources, requests: completed };
  });
}

/** On the host network the container ports are the host ports. */
function withHostPorts(container: core.Container): core.Container {
  return withChanged(container, 'ports', (ports) =>
    mapItems(ports, (port) => withDefaults(port, { hostPort: port.containerPort })),
  );
}
