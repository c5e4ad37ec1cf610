import type * as cri from '../contracts/node/cri/index.ts';
import { Simulation } from '../sim/index.ts';
import { createMachine } from './machine.ts';
import type { MachineOptions } from './machine-options.ts';

/** Creates the configuration of a sandbox for a pod of this name. */
export function sandboxConfig(
  name = 'web',
  overrides: Partial<cri.PodSandboxConfig> = {},
): cri.PodSandboxConfig {
  return {
    metadata: { namespace: 'default', name, uid: `uid-${name}`, attempt: 0 },
    hostname: name,
    logDirectory: `/var/log/pods/default_${name}_uid-${name}`,
    labels: { 'io.kubernetes.pod.name': name },
    annotations: {},
    network: 'pod',
    ...overrides,
  };
}

/** Creates the configuration of a container. */
export function containerConfig(
  image: string,
  overrides: Partial<cri.ContainerConfig> = {},
): cri.ContainerConfig {
  const { name = 'main', attempt = 0 } = overrides.metadata ?? {};
  return {
    metadata: { name, attempt },
    image: { image },
    envs: [],
    mounts: [],
    labels: { 'io.kubernetes.container.name': name },
    annotations: {},
    logPath: `${name}/${attempt}.log`,
    ...overrides,
  };
}

/** Options of {@link machineAlone}. */
export type MachineAloneOptions = Partial<MachineOptions>;

/** Creates a machine without a cluster, with the images that tests use. */
export function machineAlone(options: MachineAloneOptions = {}) {
  const sim = options.sim ?? new Simulation();
  const machine = createMachine({
    node: 'node-1',
    preloaded: ['nginx:1.27', 'busybox:1.37', 'redis:8', 'httpd:2.4', 'hello-world'],
    ...options,
    sim,
  });
  const { runtime, network } = machine.host;
  const settle = <T>(promise: Promise<T>): Promise<T> => sim.settle(promise);

  /** Starts a sandbox with one container. The caller must advance the time. */
  const begin = async (
    image: string,
    container: Partial<cri.ContainerConfig> = {},
    sandbox: cri.PodSandboxConfig = sandboxConfig(),
  ) => {
    const sandboxId = await runtime.runPodSandbox(sandbox);
    const id = await runtime.createContainer(sandboxId, containerConfig(image, container), sandbox);
    await runtime.startContainer(id);
    const { ips = [] } = await runtime.podSandboxStatus(sandboxId);
    return { sandboxId, id, ip: ips[0] ?? '' };
  };
  /** Starts a sandbox with one container, and waits for it. */
  const run = (...of: Parameters<typeof begin>) => settle(begin(...of));
  /** Runs a shell script in a new container. */
  const shell = (
    script: string,
    container: Partial<cri.ContainerConfig> = {},
    sandbox?: cri.PodSandboxConfig,
  ) => run('busybox:1.37', { command: ['sh', '-c', script], ...container }, sandbox);
  const status = (id: string) => settle(runtime.containerStatus(id));
  /** Returns the lines of its log, without the time. */
  const log = async (id: string): Promise<readonly string[]> => {
    const { logPath } = await status(id);
    const text = await settle(machine.files.readFile(logPath));
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => line.slice(line.indexOf(' ') + 1));
  };
  const get = (host: string, port: number, { path = '/', timeoutMs = 1_000 } = {}) =>
    settle(network.request({ scheme: 'http', method: 'GET', host, port, path, timeoutMs, headers: {} }));
  /** Returns the error of a call. */
  const refusal = (call: Promise<unknown>): Promise<string> => settle(refused(call));
  return { sim, machine, runtime, network, settle, begin, run, shell, status, log, get, refusal };
}

/** Returns the error of a call. */
export function refused(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'it was not refused',
    (error: Error) => error.message,
  );
}
