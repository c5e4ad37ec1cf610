import { deepEqual, type IndexReader, keyOf, keyToString, labels, type Pod, type Service } from '#harness';
import { isPodReady } from './endpoint.ts';

/**
 * Returns the keys of the Services whose endpoints this change of a pod may affect. Most changes affect none.
 *
 * @param previous - undefined for a new pod
 * @param current - undefined for a deleted pod
 *
 * Upstream: kubernetes/endpointslice@v0.36.3 util/controller_utils.go GetPodUpdateProjectionKey, GetServicesToUpdate
 *
 * Differs: upstream looks up the Services later, in a separate queue. It ignores the phase. So it keeps the address of
 * every pod that ends by itself, not ready, until another change of the Service or its pods: the kubelet reports that the
 * pod is not ready before it reports the end.
 */
export function servicesToUpdate(
  services: IndexReader<Service>,
  previous: Pod | undefined,
  current: Pod | undefined,
): readonly string[] {
  const { namespace = '' } = (current ?? previous)?.metadata ?? {};
  const isChanged = !previous || !current || endpointChanged(previous, current);
  return services
    .byIndex('namespace', namespace)
    .filter((service) => {
      const [did, does] = [selects(service, previous), selects(service, current)];
      return isChanged ? did || does : did !== does;
    })
    .map((service) => keyToString(keyOf(service)));
}

/** Reports whether the Service selects the pod. A Service without a selector selects none. */
export function selects({ spec }: Service, pod: Pod | undefined): boolean {
  if (!spec.selector || !pod) return false;
  return labels.selectorFromSet(spec.selector).matches(pod.metadata.labels ?? {});
}

/** Upstream: podEndpointsChanged */
function endpointChanged(previous: Pod, current: Pod): boolean {
  const what = (pod: Pod): unknown => [
    isPodReady(pod),
    pod.metadata.deletionTimestamp,
    pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed',
    pod.status.podIPs,
    pod.metadata.uid,
    pod.spec.nodeName,
    [pod.spec.hostname, pod.spec.subdomain],
  ];
  return !deepEqual(what(previous), what(current));
}
