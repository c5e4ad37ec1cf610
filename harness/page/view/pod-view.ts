import type * as core from '#api/core/v1';
import type { Pod, ReplicaSet } from '../../api/objects.ts';
import { controllerOf, isReady } from '../../api/predicates.ts';
import { podRow } from '../../drawing/pod-row.ts';
import type { ContainerView, PodView } from '../protocol/view.ts';

/** Returns the picture of a pod. @param replicaSet the ReplicaSet that controls it, if it exists */
export function podViewOf(pod: Pod, replicaSet: ReplicaSet | undefined): PodView {
  const { metadata, spec, status } = pod;
  const row = podRow(pod);
  const owner = controllerOf(pod);
  const above = replicaSet && controllerOf(replicaSet);
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    uid: metadata.uid,
    status: row.status,
    phase: (status.phase ?? 'Pending') as PodView['phase'],
    isReady: isReady(pod),
    isTerminating: metadata.deletionTimestamp !== undefined,
    restarts: row.restarts,
    ...(status.podIP !== undefined && { ip: status.podIP }),
    ...(spec.nodeName !== undefined && spec.nodeName !== '' && { node: spec.nodeName }),
    ...(owner && { owner: `${owner.kind} ${owner.name}` }),
    ...(above?.kind === 'Deployment' && { deployment: above.name }),
    containers: containersOf(pod),
  };
}

function containersOf({ spec, status }: Pod): readonly ContainerView[] {
  const statuses = new Map(
    [
      ...(status.initContainerStatuses ?? []),
      ...(status.containerStatuses ?? []),
      ...(status.ephemeralContainerStatuses ?? []),
    ].map((each) => [each.name, each]),
  );
  const view = (container: core.Container, kind: ContainerView['kind']): ContainerView =>
    containerViewOf(container, kind, statuses.get(container.name));
  return [
    ...(spec.initContainers ?? []).map((each) =>
      view(each, each.restartPolicy === 'Always' ? 'sidecar' : 'init'),
    ),
    ...spec.containers.map((each) => view(each, 'main')),
    ...(spec.ephemeralContainers ?? []).map((each) => view(each, 'ephemeral')),
  ];
}

function containerViewOf(
  container: core.Container,
  kind: ContainerView['kind'],
  status: core.ContainerStatus | undefined,
): ContainerView {
  const { waiting, running, terminated } = status?.state ?? {};
  const reason = waiting?.reason ?? terminated?.reason;
  const { startupProbe, readinessProbe, livenessProbe } = container;
  return {
    name: container.name,
    image: container.image ?? '',
    kind,
    state: running ? 'running' : terminated ? 'terminated' : 'waiting',
    ...(reason !== undefined && { reason }),
    isReady: status?.ready ?? false,
    restarts: status?.restartCount ?? 0,
    probes: [
      ...(startupProbe ? (['startup'] as const) : []),
      ...(readinessProbe ? (['readiness'] as const) : []),
      ...(livenessProbe ? (['liveness'] as const) : []),
    ],
  };
}
