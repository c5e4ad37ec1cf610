import type { Condition } from '#api/meta/v1';
import { labelSelectorAsSelector } from '../../../api/label-selector.ts';
import type { Deployment, Pod, ReplicaSet } from '../../../api/objects.ts';
import { controllerOf } from '../../../api/predicates.ts';
import { pods } from '../../../api/resource.ts';
import { formatLabelSelector } from '../../../apiserver/table/labels.ts';
import type { Client } from '../../../contracts/client.ts';
import { newReplicaSet, replicaSetsOf } from '../rollout/history.ts';
import { podTemplateLines } from './pod-template.ts';
import { controllerLines, headLines, indented, type Lines, longTime, metadataLines, NONE } from './text.ts';

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/describe/describe.go describeDeployment */
export async function deploymentLines(client: Client, deployment: Deployment): Promise<Lines> {
  const { metadata, spec, status } = deployment;
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0, unavailableReplicas = 0 } = status;
  const { type, rollingUpdate } = spec.strategy ?? {};
  const all = await replicaSetsOf(client, deployment);
  const current = newReplicaSet(deployment, all);
  const old = all.filter((each) => each !== current);
  return [
    ...headLines(deployment),
    `CreationTimestamp:\t${longTime(metadata.creationTimestamp)}`,
    ...metadataLines(deployment),
    `Selector:\t${labelSelectorAsSelector(spec.selector)}`,
    `Replicas:\t${[
      `${spec.replicas ?? 1} desired`,
      `${updatedReplicas} updated`,
      `${replicas} total`,
      `${availableReplicas} available`,
      `${unavailableReplicas} unavailable`,
    ].join(' | ')}`,
    `StrategyType:\t${type ?? ''}`,
    `MinReadySeconds:\t${spec.minReadySeconds ?? 0}`,
    ...(rollingUpdate
      ? [
          `RollingUpdateStrategy:\t${rollingUpdate.maxUnavailable} max unavailable, ${rollingUpdate.maxSurge} max surge`,
        ]
      : []),
    ...podTemplateLines(spec.template),
    ...conditionLines(status.conditions),
    ...(all.length > 0
      ? [`OldReplicaSets:\t${listed(old)}`, `NewReplicaSet:\t${listed(current ? [current] : [])}`]
      : []),
  ];
}

function listed(all: readonly ReplicaSet[]): string {
  const texts = all.map(
    ({ metadata, spec, status }) =>
      `${metadata.name} (${status?.replicas ?? 0}/${spec.replicas ?? 1} replicas created)`,
  );
  return texts.join(', ') || NONE;
}

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/describe/describe.go describeReplicaSet */
export async function replicaSetLines(client: Client, replicaSet: ReplicaSet): Promise<Lines> {
  const { metadata, spec, status } = replicaSet;
  const labelSelector = String(labelSelectorAsSelector(spec.selector));
  const { items } = await client.list(pods, { namespace: metadata.namespace ?? '', labelSelector });
  const own = items.filter((pod) => controllerOf(pod)?.uid === metadata.uid);
  const count = (phase: Pod['status']['phase']): number =>
    own.filter((pod) => pod.status.phase === phase).length;
  return [
    ...headLines(replicaSet),
    `Selector:\t${formatLabelSelector(spec.selector)}`,
    ...metadataLines(replicaSet),
    ...controllerLines(replicaSet),
    `Replicas:\t${status?.replicas ?? 0} current / ${spec.replicas ?? 1} desired`,
    `Pods Status:\t${count('Running')} Running / ${count('Pending')} Waiting / ${count('Succeeded')} Succeeded / ${count('Failed')} Failed`,
    ...(spec.template ? podTemplateLines(spec.template) : []),
    ...conditionLines(status?.conditions),
  ];
}

function conditionLines(
  conditions:
    | readonly Pick<Condition, 'type' | 'status' | 'reason'>[]
    | readonly { type: string; status: string; reason?: string }[] = [],
): Lines {
  if (conditions.length === 0) return [];
  const rows = conditions.map(({ type, status, reason = '' }) => `${type} \t${status}\t${reason}`);
  return ['Conditions:', ...indented(['Type\tStatus\tReason', '----\t------\t------', ...rows])];
}
