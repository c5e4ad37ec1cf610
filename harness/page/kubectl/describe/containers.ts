import type {
  Container,
  ContainerState,
  ContainerStatus,
  EnvVar,
  Probe,
  ResourceRequirements,
} from '#api/core/v1';
import type { Pod } from '../../../api/objects.ts';
import { indented, type Lines, longTime, NONE } from './text.ts';

/** The pod of containers, for values that come from its fields. */
type Of = Pod | undefined;

/**
 * Describes containers under a title.
 *
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/describe/describe.go describeContainers
 *
 * @param indent the indentation of a template, which is four spaces for a name
 */
export function containerLines(
  title: string,
  containers: readonly Container[],
  {
    statuses = [],
    pod,
    indent = '',
  }: { statuses?: readonly ContainerStatus[]; pod?: Of; indent?: string } = {},
): Lines {
  return [
    `${indent}${title}:${containers.length === 0 ? ` ${NONE}` : ''}`,
    ...containers.flatMap((container) => {
      const status = statuses.find(({ name }) => name === container.name);
      return [
        `  ${indent === '' ? '' : ' '}${container.name}:`,
        ...indented(oneContainer(container, status, pod), 2),
      ];
    }),
  ];
}

function oneContainer(container: Container, status: ContainerStatus | undefined, pod: Of): Lines {
  const { image = '', ports = [], command = [], args = [], securityContext } = container;
  const seccomp = securityContext?.seccompProfile?.type;
  return [
    ...(status ? [`Container ID:\t${status.containerID ?? ''}`] : []),
    `Image:\t${image}`,
    ...(status ? [`Image ID:\t${status.imageID}`] : []),
    ...portLine(
      'Port',
      ports.map(({ containerPort, protocol, name }) => portOf(containerPort, protocol, name)),
    ),
    ...portLine(
      'Host Port',
      ports.map(({ hostPort = 0, protocol, name }) => portOf(hostPort, protocol, name)),
    ),
    ...(seccomp ? [`SeccompProfile:\t${seccomp}`] : []),
    ...words('Command', command),
    ...words('Args', args),
    ...(status ? statusLines(status) : []),
    ...resourceLines(container.resources),
    ...probes(container),
    ...envFrom(container),
    ...environment(container, pod),
    ...mounts(container),
  ];
}

const portOf = (port: number, protocol = 'TCP', name: string | undefined): string =>
  `${port}/${protocol}${name ? ` (${name})` : ''}`;

function portLine(title: string, ports: readonly string[]): Lines {
  return [ports.length > 1 ? `${title}s:\t${ports.join(', ')}` : `${title}:\t${ports[0] ?? NONE}`];
}

function words(title: string, all: readonly string[]): Lines {
  if (all.length === 0) return [];
  return [`${title}:`, ...indented(all.flatMap((word) => word.split('\n')))];
}

function statusLines({ state = {}, lastState, ready, restartCount }: ContainerStatus): Lines {
  return [
    ...stateLines('State', state),
    ...(lastState?.terminated ? stateLines('Last State', lastState) : []),
    `Ready:\t${ready ? 'True' : 'False'}`,
    `Restart Count:\t${restartCount}`,
  ];
}

function stateLines(title: string, { running, waiting, terminated }: ContainerState): Lines {
  if (running) return [`${title}:\tRunning`, `  Started:\t${longTime(running.startedAt)}`];
  if (terminated) {
    const { reason, message, exitCode, signal, startedAt, finishedAt } = terminated;
    return [
      `${title}:\tTerminated`,
      ...indented([
        ...(reason ? [`Reason:\t${reason}`] : []),
        ...(message ? [`Message:\t${message}`] : []),
        `Exit Code:\t${exitCode}`,
        ...(signal ? [`Signal:\t${signal}`] : []),
        `Started:\t${longTime(startedAt)}`,
        `Finished:\t${longTime(finishedAt)}`,
      ]),
    ];
  }
  return [`${title}:\tWaiting`, ...(waiting?.reason ? [`  Reason:\t${waiting.reason}`] : [])];
}

/** Limits and requests. */
function resourceLines(resources: ResourceRequirements | undefined): Lines {
  const list = (title: string, of: ResourceRequirements['limits']): Lines => {
    const entries = Object.entries(of ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
    return entries.length === 0
      ? []
      : [`${title}:`, ...entries.map(([name, amount]) => `  ${name}:\t${amount}`)];
  };
  return [...list('Limits', resources?.limits), ...list('Requests', resources?.requests)];
}

function probes({ livenessProbe, readinessProbe, startupProbe }: Container): Lines {
  return [
    ...(livenessProbe ? [`Liveness:\t${probeText(livenessProbe)}`] : []),
    ...(readinessProbe ? [`Readiness:\t${probeText(readinessProbe)}`] : []),
    ...(startupProbe ? [`Startup:\t${probeText(startupProbe)}`] : []),
  ];
}

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/describe/describe.go DescribeProbe */
function probeText(probe: Probe): string {
  const { exec, httpGet, tcpSocket, grpc } = probe;
  const numbers = [
    `delay=${probe.initialDelaySeconds ?? 0}s`,
    `timeout=${probe.timeoutSeconds ?? 0}s`,
    `period=${probe.periodSeconds ?? 0}s`,
    `#success=${probe.successThreshold ?? 0}`,
    `#failure=${probe.failureThreshold ?? 0}`,
  ].join(' ');
  if (exec) return `exec [${(exec.command ?? []).join(' ')}] ${numbers}`;
  if (httpGet) {
    const { scheme = 'HTTP', host = '', port, path = '' } = httpGet;
    return `http-get ${scheme.toLowerCase()}://${host}:${port}${path} ${numbers}`;
  }
  if (tcpSocket) return `tcp-socket ${tcpSocket.host ?? ''}:${tcpSocket.port} ${numbers}`;
  if (grpc) return `grpc <pod>:${grpc.port} ${grpc.service ?? ''} ${numbers}`;
  return `unknown ${numbers}`;
}

function envFrom({ envFrom: sources = [] }: Container): Lines {
  if (sources.length === 0) return [];
  const lines = sources.map(({ configMapRef, secretRef, prefix }) => {
    const ref = configMapRef ?? secretRef;
    const kind = configMapRef ? 'ConfigMap' : 'Secret';
    const origin = prefix ? `${kind} with prefix '${prefix}'` : kind;
    return `${ref?.name ?? ''}\t${origin}\tOptional: ${ref?.optional ?? false}`;
  });
  return ['Environment Variables from:', ...indented(lines)];
}

function environment({ env = [], resources }: Container, pod: Of): Lines {
  if (env.length === 0) return [`Environment:\t${NONE}`];
  return ['Environment:', ...indented(env.flatMap((variable) => variableLines(variable, resources, pod)))];
}

function variableLines(
  { name, value = '', valueFrom }: EnvVar,
  resources: Container['resources'],
  pod: Of,
): Lines {
  if (!valueFrom) {
    const [first = '', ...others] = value.split('\n');
    return [`${name}:\t${first}`, ...others.map((line) => `\t${line}`)];
  }
  const { fieldRef, resourceFieldRef, secretKeyRef, configMapKeyRef } = valueFrom;
  if (fieldRef) {
    const shown = pod ? fieldOf(pod, fieldRef.fieldPath) : '';
    return [`${name}:\t${shown} (${fieldRef.apiVersion ?? 'v1'}:${fieldRef.fieldPath})`];
  }
  if (resourceFieldRef) {
    const [list, resource = ''] = resourceFieldRef.resource.split('.');
    const amount = (list === 'limits' ? resources?.limits : resources?.requests)?.[resource];
    return [
      `${name}:\t${amount ?? (list === 'limits' ? 'node allocatable' : '0')} (${resourceFieldRef.resource})`,
    ];
  }
  if (secretKeyRef) {
    const { key, name: secret, optional = false } = secretKeyRef;
    return [`${name}:\t<set to the key '${key}' in secret '${secret}'>\tOptional: ${optional}`];
  }
  if (configMapKeyRef) {
    const { key, name: map, optional = false } = configMapKeyRef;
    return [`${name}:\t<set to the key '${key}' of config map '${map}'>\tOptional: ${optional}`];
  }
  return [];
}

/**
 * Returns the value of a field of the metadata, such as `metadata.labels['app']`. kubectl does not resolve other fields.
 *
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/util/fieldpath/fieldpath.go ExtractFieldPathAsString
 */
function fieldOf({ metadata }: Pod, path: string): string {
  const [, map, key = ''] = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path) ?? [];
  if (map !== undefined) return metadata[map as 'labels']?.[key] ?? '';
  const [, field] = /^metadata\.(name|namespace|uid)$/.exec(path) ?? [];
  return field === undefined ? '' : (metadata[field as 'name'] ?? '');
}

function mounts({ volumeMounts = [], volumeDevices = [] }: Container): Lines {
  const all = volumeMounts
    .toSorted((a, b) => (a.mountPath < b.mountPath ? -1 : 1))
    .map(({ mountPath, name, readOnly, subPath }) => {
      const flags = [readOnly ? 'ro' : 'rw', ...(subPath ? [`path=${JSON.stringify(subPath)}`] : [])];
      return `${mountPath} from ${name} (${flags.join(',')})`;
    });
  const devices = volumeDevices
    .toSorted((a, b) => (a.devicePath < b.devicePath ? -1 : 1))
    .map(({ devicePath, name }) => `${devicePath} from ${name}`);
  return [
    all.length === 0 ? `Mounts:\t${NONE}` : 'Mounts:',
    ...indented(all),
    ...(devices.length === 0 ? [] : ['Devices:', ...indented(devices)]),
  ];
}
