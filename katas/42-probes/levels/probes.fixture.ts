/** Shared by the levels: pods, statuses, and a node with answers that the test decides. */
import type { Probed, ProbeTarget, ProbeTools } from '#given/42-probes';
import type {
  core,
  cri,
  HttpAnswer,
  HttpRequest,
  NodeNetwork,
  Pod,
  ProbeManagerOptions,
  ProbeType,
  ProbeUpdate,
} from '#harness';
import { Simulation } from '#harness/testing';

/** The start of every simulation, in ms since 1970. */
export const START_MS = Date.UTC(2024, 3, 17);

/** A container named `web`, with these fields. */
export const container = (fields: Partial<core.Container> = {}): core.Container => ({
  name: 'web',
  image: 'nginx',
  ...fields,
});

/** A pod with these containers. */
export const podOf = (containers: readonly core.Container[], fields: Partial<core.PodSpec> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'web-1',
    namespace: 'default',
    uid: 'uid-1',
    resourceVersion: '7',
    creationTimestamp: '2024-04-17T00:00:00Z',
  },
  spec: { restartPolicy: 'Always', containers: [...containers], ...fields },
  status: {},
});

/** The probe of this type in a pod with one container. */
export const probed = (
  type: ProbeType,
  probe: core.Probe = {},
  spec: Partial<core.PodSpec> = {},
  more: Partial<core.Container> = {},
): Probed => {
  const one = container({ ...more, [`${type}Probe`]: probe });
  return { pod: podOf([one], spec), container: one, type, probe };
};

interface ContainerFields {
  readonly name?: string;
  readonly id?: string;
  readonly state?: 'running' | 'waiting' | 'terminated';
  readonly exitCode?: number;
  readonly started?: boolean;
  /** The age of the container at the start of the simulation. */
  readonly ageMs?: number;
}

/** The status of a container. */
export const containerStatus = ({
  name = 'web',
  id = 'c1',
  state = 'running',
  exitCode = 1,
  started,
  ageMs = 0,
}: ContainerFields = {}): core.ContainerStatus => ({
  name,
  image: 'nginx',
  imageID: '',
  ready: false,
  restartCount: 0,
  ...(id !== '' && { containerID: `containerd://${id}` }),
  ...(started !== undefined && { started }),
  state: {
    ...(state === 'running' && { running: { startedAt: new Date(START_MS - ageMs).toISOString() } }),
    ...(state === 'waiting' && { waiting: { reason: 'CrashLoopBackOff' } }),
    ...(state === 'terminated' && { terminated: { exitCode } }),
  },
});

/** A status with these containers. */
export const statusOf = (
  ...containerStatuses: readonly core.ContainerStatus[]
): NonNullable<Pod['status']> => ({
  phase: 'Running',
  podIP: '10.244.1.2',
  containerStatuses: [...containerStatuses],
});

/** A node that records its calls and events. */
export interface FakeNode extends ProbeTools {
  readonly sim: Simulation;
  /** The calls, such as `GET http://10.244.1.2:80/`, `connect 10.244.1.2:80`, `exec c1 ls`. */
  readonly asked: readonly string[];
  readonly requests: HttpRequest[];
  readonly events: readonly string[];
}

interface Answers {
  readonly request?: (request: HttpRequest, sim: Simulation) => HttpAnswer | Promise<HttpAnswer>;
  readonly connect?: () => void;
  readonly health?: NodeNetwork['healthCheck'];
  readonly exec?: (timeoutSeconds: number) => cri.ExecSyncResponse | Promise<cri.ExecSyncResponse>;
}

/** A node on which all probes succeed, unless a test replaces the answers. */
export function fakeNode({ request, connect, health, exec }: Answers = {}): FakeNode {
  const sim = new Simulation();
  const [asked, events, requests]: [string[], string[], HttpRequest[]] = [[], [], []];
  return {
    sim,
    asked,
    events,
    requests,
    clock: sim.clock,
    recorder: {
      event: (object, type, reason, message) => {
        const field = 'fieldPath' in object ? object.fieldPath : 'no container';
        events.push(`${field} ${type} ${reason} ${message}`);
      },
    },
    runtime: {
      execSync: async (id, command, timeoutSeconds) => {
        asked.push(`exec ${id} ${command.join(' ')}`);
        return (await exec?.(timeoutSeconds)) ?? { stdout: '', stderr: '', exitCode: 0 };
      },
    },
    network: {
      request: async (one) => {
        requests.push(one);
        asked.push(`${one.method} ${one.scheme}://${one.host}:${one.port}${one.path}`);
        return (await request?.(one, sim)) ?? { status: 200, headers: {}, body: 'ok' };
      },
      connect: async ({ host, port }) => {
        asked.push(`connect ${host}:${port}`);
        connect?.();
      },
      healthCheck: async (check) => {
        asked.push(`check ${check.service} at ${check.host}:${check.port} within ${check.timeoutMs}`);
        return (await health?.(check)) ?? 'SERVING';
      },
    },
  };
}

/** The target of a probe, in a pod with the IP 10.244.1.2. */
export const targetOf = (one: Probed): ProbeTarget => ({
  ...one,
  podIP: '10.244.1.2',
  containerID: 'containerd://c1',
});

/** Options of a manager on a node; `updates` records its calls of `onUpdate`, with the time in ms. */
export function managerOptions(
  node: FakeNode,
  status: () => Pod['status'] | undefined,
): {
  readonly options: ProbeManagerOptions;
  readonly updates: readonly string[];
  readonly controller: AbortController;
} {
  const updates: string[] = [];
  const controller = new AbortController();
  const onUpdate = ({ type, result, containerID }: ProbeUpdate): void => {
    updates.push(`${node.sim.elapsedMs} ${type} ${containerID.replace('containerd://', '')} ${result}`);
  };
  const { clock, recorder, runtime, network, sim } = node;
  return {
    updates,
    controller,
    options: {
      clock,
      recorder,
      runtime,
      network,
      random: sim.random,
      signal: controller.signal,
      statusOf: status,
      onUpdate,
    },
  };
}
