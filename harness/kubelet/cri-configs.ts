import type * as core from '#api/core/v1';
import type { Pod, Service } from '../api/objects.ts';
import { parseQuantity } from '../api/quantity.ts';
import type { EventRecorder } from '../contracts/event-recorder.ts';
import type { SharedInformer } from '../contracts/informer.ts';
import type * as cri from '../contracts/node/cri/index.ts';
import type { FileSystem, VolumeManager } from '../contracts/node/index.ts';
import type { Random } from '../sim/index.ts';
import {
  type DnsConfiguration,
  hostsFile,
  kernelHostname,
  parseResolvConf,
  podDns,
  type ResolvConf,
} from './dns.ts';
import { type EnvironmentOptions, makeEnvironmentVariables } from './environment.ts';
import { expand } from './expand.ts';
import { containerAnnotations, containerLabels, sandboxLabels } from './labels.ts';
import { podDirectory, podLogsDirectory } from './paths.ts';
import { serviceVariables } from './service-environment.ts';
import { isStaticPod } from './static-pod.ts';

/** Dependencies of the configurations of sandboxes and containers. */
interface CriConfigsOptions extends Omit<EnvironmentOptions, 'ips' | 'allocatable' | 'services'> {
  /** The name of the node. */
  readonly node: string;
  readonly dns: DnsConfiguration;
  /** The Services exposed as environment variables. @defaultValue none */
  readonly services?: Pick<SharedInformer<Service>, 'hasSynced' | 'indexer'>;
  readonly recorder: EventRecorder;
  readonly random: Random;
  readonly files: FileSystem;
  readonly volumes: Pick<VolumeManager, 'mountsOf'>;
  readonly allocatable: () => Readonly<Record<string, string>>;
}

/** A container and the current state of its pod. */
interface ContainerConfigInput {
  readonly pod: Pod;
  readonly container: core.Container;
  readonly restartCount: number;
  /** The image, by digest. */
  readonly imageRef: string;
  /** The addresses of the pod's sandbox. */
  readonly ips: readonly string[];
}

/** Converts pod specs to configurations for the container runtime. */
export class CriConfigs {
  readonly #options: CriConfigsOptions;

  constructor(options: CriConfigsOptions) {
    this.#options = options;
  }

  /** Whether the kubelet reads the node's own `resolv.conf`. */
  get readsHost(): boolean {
    return this.#options.dns.resolvConf !== '';
  }

  /** Reads the node's `resolv.conf`, which may change at any time. @throws FileError when the file does not exist */
  async hostResolvConf(): Promise<ResolvConf> {
    const { dns, files } = this.#options;
    return parseResolvConf(await files.readFile(dns.resolvConf));
  }

  /**
   * Returns the sandbox configuration of a pod.
   *
   * @param host the node's own `resolv.conf`, if the kubelet reads it
   * @throws Error when the hostname is longer than the kernel allows
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_sandbox.go generatePodSandboxConfig
   */
  sandbox(pod: Pod, attempt: number, host?: ResolvConf): cri.PodSandboxConfig {
    const { dns, node, recorder } = this.#options;
    const { name, namespace = '', uid, annotations = {} } = pod.metadata;
    const { hostNetwork = false, containers } = pod.spec;
    const portMappings = containers.flatMap(({ ports = [] }) =>
      ports.map(({ containerPort, hostPort = 0, hostIP, protocol = 'TCP' }) => ({
        protocol: protocol as cri.PortMapping['protocol'],
        containerPort,
        hostPort,
        ...(hostIP === undefined ? {} : { hostIP }),
      })),
    );
    return {
      metadata: { name, namespace, uid, attempt },
      hostname: hostNetwork ? '' : kernelHostname(pod, dns.clusterDomain),
      logDirectory: podLogsDirectory(pod),
      labels: sandboxLabels(pod),
      annotations,
      network: hostNetwork ? 'node' : 'pod',
      dns: podDns(pod, { ...dns, host }, { node, recorder }),
      ...(portMappings.length > 0 ? { portMappings } : {}),
    };
  }

  /**
   * Returns the configuration of a container, and creates the files that are mounted into it.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go generateContainerConfig
   *
   * @throws Error when a value that the spec refers to is missing; also rethrows errors of the volume manager, the API
   * and the file system
   */
  async container(input: ContainerConfigInput): Promise<cri.ContainerConfig> {
    const { pod, container, restartCount, imageRef, ips } = input;
    const { client, hostIP, allocatable } = this.#options;
    const variables = await makeEnvironmentVariables(pod, container, {
      client,
      hostIP,
      ips,
      allocatable: allocatable(),
      services: this.#servicesFor(pod),
    });
    const { command, args, workingDir, resources, stdin, stdinOnce, tty } = container;
    const expanded = (texts: readonly string[]) =>
      texts.map((text) => expand(text, (name) => variables[name]));
    return {
      metadata: { name: container.name, attempt: restartCount },
      image: { image: imageRef },
      ...(command?.length ? { command: expanded(command) } : {}),
      ...(args?.length ? { args: expanded(args) } : {}),
      ...(workingDir ? { workingDir } : {}),
      envs: Object.entries(variables).map(([key, value]) => ({ key, value })),
      mounts: await this.#mounts(input),
      labels: containerLabels(pod, container),
      annotations: containerAnnotations(pod, container, restartCount),
      logPath: `${container.name}/${restartCount}.log`,
      ...(stdin ? { stdin } : {}),
      ...(stdinOnce ? { stdinOnce } : {}),
      ...(tty ? { tty } : {}),
      ...processesOf(pod, container),
      resources: resourcesOf(resources),
    };
  }

  /**
   * @throws Error while the Services are not synced, because a container never gets a Service that is missing when it
   * starts
   */
  #servicesFor(pod: Pod): Readonly<Record<string, string>> {
    const { services } = this.#options;
    if (!services) return {};
    if (!isStaticPod(pod) && !services.hasSynced())
      throw new Error('services have not yet been read at least once, cannot construct envvars');
    const { namespace = '' } = pod.metadata;
    const { enableServiceLinks = true } = pod.spec;
    return serviceVariables(services.indexer.list(), { namespace, enableServiceLinks });
  }

  /** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go makeMounts, pkg/kubelet/kuberuntime/kuberuntime_container.go makeMounts */
  async #mounts({ pod, container, ips }: ContainerConfigInput): Promise<readonly cri.Mount[]> {
    const { files, volumes, random, dns } = this.#options;
    const mounts = [...(await volumes.mountsOf(pod, container))];
    const directory = podDirectory(pod.metadata.uid);
    const hasHosts = mounts.some(({ containerPath }) => containerPath === '/etc/hosts');
    if (!hasHosts && ips.length > 0 && !pod.spec.hostNetwork) {
      const hostPath = `${directory}/etc-hosts`;
      await files.mkdirAll(directory);
      await files.writeFile(hostPath, hostsFile(pod, ips, dns.clusterDomain));
      mounts.push({ containerPath: '/etc/hosts', hostPath, readonly: false });
    }
    const { terminationMessagePath: containerPath } = container;
    if (containerPath) {
      const logs = `${directory}/containers/${container.name}`;
      const hostPath = `${logs}/${hex(random)}`;
      await files.mkdirAll(logs);
      await files.writeFile(hostPath, '', { mode: 0o666 });
      mounts.push({ containerPath, hostPath, readonly: false });
    }
    return mounts;
  }
}

/**
 * Returns the processes that a container sees, unless it sees only its own.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/util/util.go PidNamespaceForPod, NamespacesForPod;
 * pkg/kubelet/kuberuntime/kuberuntime_container.go getTargetID
 *
 * Differs: the id of the target comes from the status in the API, not from the runtime.
 *
 * @throws Error when the target container has not started
 */
function processesOf(
  { spec, status }: Pod,
  { targetContainerName: target }: core.EphemeralContainer,
): Pick<cri.ContainerConfig, 'pid'> {
  if (target) {
    const found = status.containerStatuses?.find(({ name }) => name === target)?.containerID;
    if (!found) throw new Error(`unable to find target container ${target}`);
    return { pid: { target: found.replace(/^.*:\/\//, '') } };
  }
  if (spec.hostPID) return { pid: 'node' };
  return spec.shareProcessNamespace ? { pid: 'pod' } : {};
}

function resourcesOf({ limits = {} }: core.ResourceRequirements = {}): cri.ContainerResources {
  return {
    ...(limits.cpu === undefined ? {} : { cpuMilli: parseQuantity(limits.cpu).milliValue() }),
    ...(limits.memory === undefined ? {} : { memoryLimitBytes: parseQuantity(limits.memory).value() }),
  };
}

function hex(random: Random): string {
  return Array.from({ length: 8 }, () => random.int(16).toString(16)).join('');
}
