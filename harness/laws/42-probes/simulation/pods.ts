import type * as core from '#api/core/v1';
import type { Pod } from '../../../api/objects.ts';
import type { ProbeType } from '../../../contracts/node/probe-manager.ts';
import type { ProbeKey } from '../history.ts';
import {
  type ContainerPlan,
  nameOf,
  type PodPlan,
  PROBE_TYPES,
  type ProbePlan,
  portOfProbe,
} from '../scenario.ts';

/** The expected call of a probe, as text to compare: `GET http://10.244.1.2:8000/startup accept=…`. */
export interface OwedCall {
  readonly key: ProbeKey;
  readonly plan: ProbePlan;
  /** @param redirect - the location of the redirect that the call follows; absent for the first call */
  asked(containerID: string, redirect?: Location): string;
}

/** The location of a redirect. */
export interface Location {
  readonly url: string;
  /** Whether a location before it, or this one, was a complete URL: then the `host` header of the probe no longer applies. */
  readonly hasOwnHost: boolean;
}

/** A pod of a plan, and the expected calls of its probes. */
export interface PlannedPod {
  readonly pod: Pod;
  readonly ip: string;
  readonly calls: readonly (OwedCall & { readonly port: number; readonly command: string })[];
}

/** The init container of each pod, which has no probes, and has ended when the first container starts. */
export const INIT = 'init';

/** Returns the pod of a plan. */
export function podOf(plan: PodPlan, index: number): PlannedPod {
  const name = `web-${index}`;
  const [ip, other] = [`10.244.1.${index + 2}`, `10.9.0.${index + 1}`];
  const containers = plan.containers.map((container, i) => ({
    container,
    spec: containerOf(container, i, other),
  }));
  return {
    ip,
    pod: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name,
        namespace: 'default',
        uid: `uid-${name}`,
        resourceVersion: '1',
        creationTimestamp: '2024-04-17T00:00:00Z',
      },
      spec: {
        restartPolicy: plan.restartPolicy,
        initContainers: [
          { name: INIT, image: 'registry.example/init:1' },
          ...containers.filter(({ container }) => container.isSidecar).map(({ spec }) => spec),
        ],
        containers: containers.filter(({ container }) => !container.isSidecar).map(({ spec }) => spec),
      },
      status: {},
    },
    calls: plan.containers.flatMap((container, i) =>
      PROBE_TYPES.flatMap((type) => {
        const probe = container.probes[type];
        const key = { pod: name, container: nameOf(container, i), type };
        const host = probe?.isFancy && (probe.way === 'http' || probe.way === 'tcp') ? other : ip;
        return probe ? [owedCall(key, probe, { host, port: portOfProbe(i, type) })] : [];
      }),
    ),
  };
}

function containerOf(plan: ContainerPlan, index: number, otherHost: string): core.Container {
  const probes = PROBE_TYPES.map((type) => {
    const probe = plan.probes[type];
    return [`${type}Probe`, probe && probeOf(probe, type, index, otherHost)] as const;
  });
  return {
    name: nameOf(plan, index),
    image: 'registry.example/app:1',
    ...(plan.isSidecar && { restartPolicy: 'Always' }),
    env: [
      { name: 'MODE', value: 'slow' },
      { name: 'MODE', value: 'fast' },
      { name: 'LATER', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    ],
    ports: PROBE_TYPES.map((type) => ({
      name: `${type}-port`,
      containerPort: portOfProbe(index, type),
    })),
    ...Object.fromEntries(probes.filter(([, probe]) => probe)),
  };
}

function probeOf(plan: ProbePlan, type: ProbeType, index: number, otherHost: string): core.Probe {
  const { way, isFancy, initialDelaySeconds, periodSeconds, timeoutSeconds } = plan;
  const { successThreshold, failureThreshold } = plan;
  const times = { initialDelaySeconds, periodSeconds, timeoutSeconds, successThreshold, failureThreshold };
  const port = isFancy ? `${type}-port` : portOfProbe(index, type);
  const host = { host: isFancy ? otherHost : '' };
  switch (way) {
    case 'http':
      return {
        ...times,
        httpGet: {
          path: isFancy ? `/${type} check?full=1#top` : `/${type}`,
          port,
          ...(schemeOf(plan, type) === 'https' && { scheme: 'HTTPS' }),
          ...host,
          ...(isFancy && { httpHeaders: HEADERS }),
        },
      };
    case 'tcp':
      return { ...times, tcpSocket: { port, ...host } };
    case 'exec':
      return {
        ...times,
        exec: { command: ['check', type, ...(isFancy ? ['$(MODE)$(LATER)', '$$(MODE)', '$(NONE)'] : [])] },
      };
    case 'grpc':
      return {
        ...times,
        grpc: { port: portOfProbe(index, type), ...(isFancy && { service: 'health' }) },
      };
  }
}

/** Returns the scheme of a probe; some use TLS. */
function schemeOf({ isFancy }: ProbePlan, type: ProbeType): 'http' | 'https' {
  return isFancy && type === 'readiness' ? 'https' : 'http';
}

const HEADERS = [
  { name: 'X-Probe', value: 'yes' },
  { name: 'Host', value: 'health.local' },
  { name: 'Accept', value: '' },
];

function owedCall(
  key: ProbeKey,
  plan: ProbePlan,
  { host, port }: { readonly host: string; readonly port: number },
): PlannedPod['calls'][number] {
  const { way, isFancy } = plan;
  const path = isFancy ? `/${key.type}%20check?full=1` : `/${key.type}`;
  const command = ['check', key.type, ...(isFancy ? ['fast', '$(MODE)', '$(NONE)'] : [])].join(' ');
  return {
    key,
    plan,
    port,
    command,
    asked(containerID, redirect) {
      switch (way) {
        case 'http':
          return sayRequest({
            url: redirect?.url ?? `${schemeOf(plan, key.type)}://${host}:${port}${path}`,
            headers: {
              'user-agent': 'kube-probe/1.36',
              ...(isFancy ? { 'x-probe': 'yes' } : { accept: '*/*' }),
              ...(isFancy && !redirect?.hasOwnHost && { host: 'health.local' }),
            },
          });
        case 'tcp':
          return `connect ${host}:${port}`;
        case 'exec':
          return `exec ${containerID.replace('containerd://', '')} ${command}`;
        case 'grpc':
          return `check "${isFancy ? 'health' : ''}" at ${host}:${port}`;
      }
    },
  };
}

/** Describes a request, with sorted headers. */
export function sayRequest(request: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}): string {
  const headers = Object.entries(request.headers)
    .map(([name, value]) => `${name}=${value}`)
    .toSorted();
  return ['GET', request.url, ...headers].join(' ');
}
