import type { Pod } from '../../../api/objects.ts';
import { agoAt } from '../../../apiserver/table/ago.ts';
import { containerLines } from './containers.ts';
import { spreadLines, tolerationLines } from './pod-template.ts';
import {
  controllerLines,
  headLines,
  indented,
  type Lines,
  labelLines,
  longTime,
  metadataLines,
  NONE,
} from './text.ts';
import { volumeLines } from './volumes.ts';

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/describe/describe.go describePod */
export function podLines(pod: Pod, nowMs: number): Lines {
  const { metadata, spec, status } = pod;
  const { initContainers = [], ephemeralContainers = [], readinessGates = [] } = spec;
  const { conditions = [], podIPs = [] } = status;
  const seccomp = spec.securityContext?.seccompProfile?.type;
  return [
    ...headLines(pod),
    ...(spec.priority === undefined ? [] : [`Priority:\t${spec.priority}`]),
    ...line('Priority Class Name', spec.priorityClassName),
    ...line('Runtime Class Name', spec.runtimeClassName),
    ...line('Service Account', spec.serviceAccountName),
    `Node:\t${spec.nodeName ? `${spec.nodeName}/${status.hostIP ?? ''}` : NONE}`,
    ...(status.startTime ? [`Start Time:\t${longTime(status.startTime)}`] : []),
    ...metadataLines(pod),
    ...phaseLines(pod, nowMs),
    ...line('Reason', status.reason),
    ...line('Message', status.message),
    ...line('SeccompProfile', seccomp),
    `IP:\t${status.podIP ?? ''}`,
    ...(podIPs.length === 0 ? [`IPs:\t${NONE}`] : ['IPs:', ...podIPs.map(({ ip }) => `  IP:\t${ip ?? ''}`)]),
    ...controllerLines(pod),
    ...line('NominatedNodeName', status.nominatedNodeName),
    ...(initContainers.length > 0
      ? containerLines('Init Containers', initContainers, {
          statuses: status.initContainerStatuses ?? [],
          pod,
        })
      : []),
    ...containerLines('Containers', spec.containers, { statuses: status.containerStatuses ?? [], pod }),
    ...(ephemeralContainers.length > 0
      ? containerLines('Ephemeral Containers', ephemeralContainers, {
          statuses: status.ephemeralContainerStatuses ?? [],
          pod,
        })
      : []),
    ...table(
      'Readiness Gates',
      readinessGates.map(({ conditionType }) => [
        conditionType,
        conditions.find(({ type }) => type === conditionType)?.status ?? NONE,
      ]),
    ),
    ...table(
      'Conditions',
      conditions.map(({ type, status: is }) => [type, is]),
    ),
    ...volumeLines(spec.volumes),
    `QoS Class:\t${status.qosClass ?? ''}`,
    ...labelLines('Node-Selectors', spec.nodeSelector),
    ...tolerationLines('Tolerations', spec.tolerations),
    ...spreadLines(spec.topologySpreadConstraints),
  ];

  function phaseLines({ status: { phase } }: Pod, at: number): Lines {
    const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
    if (!deletionTimestamp || phase === 'Failed' || phase === 'Succeeded') return [`Status:\t${phase ?? ''}`];
    return [
      `Status:\tTerminating (lasts ${agoAt(at)(deletionTimestamp)})`,
      `Termination Grace Period:\t${deletionGracePeriodSeconds}s`,
    ];
  }
}

const line = (title: string, text: string | undefined): Lines => (text ? [`${title}:\t${text}`] : []);

function table(title: string, rows: readonly (readonly [string, string])[]): Lines {
  if (rows.length === 0) return [];
  return [
    `${title}:`,
    ...indented(['Type\tStatus', ...rows.map(([type, status]) => `${type} \t${status} `)]),
  ];
}
