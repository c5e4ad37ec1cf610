import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import { secrets, services } from '../api/resource.ts';
import { isNotFound } from '../api/status.ts';
import { noteCaught } from '../contracts/caught.ts';
import type { NodeComponentContext } from '../contracts/component.ts';
import { isCriNotFound } from '../contracts/node/cri/index.ts';
import type {
  ImageManager,
  KubeletConfiguration,
  ProbeManager,
  ProbeUpdate,
  VolumeManager,
} from '../contracts/node/index.ts';
import {
  type APIPodStatusOptions,
  generateAPIPodStatus,
  readinessOf,
  type StatusDecisions,
  withReadyToStart,
} from './api-pod-status.ts';
import { containerReference } from './container-reference.ts';
import { CriConfigs } from './cri-configs.ts';
import type { ProbeResults } from './decisions.ts';
import type { DnsConfiguration } from './dns.ts';
import { LifecycleHandlers } from './lifecycle-handlers.ts';
import { Pleg, type PodLifecycleEvent } from './pleg.ts';
import { PodCache } from './pod-cache.ts';
import { PodManager } from './pod-manager.ts';
import type { RuntimePodStatus } from './pod-status.ts';
import { PodSteps } from './pod-steps.ts';
import type { PodSyncer } from './pod-syncer.ts';
import { PodWorkers } from './pod-workers.ts';
import { ReasonCache } from './reason-cache.ts';
import { RuntimePods } from './runtime-pods.ts';
import { RuntimeState } from './runtime-state.ts';
import { StatusManager } from './status-manager.ts';

/** The callbacks that the parts of a kubelet call to notify its loop. */
interface KubeletSignals {
  readonly onLifecycle: (event: PodLifecycleEvent) => void;
  readonly onProbe: (update: ProbeUpdate) => void;
  readonly onDue: (uid: string) => void;
  /** Called when a sync of a pod has failed. */
  readonly onSyncError: (error: unknown) => void;
}

/**
 * The given parts of a kubelet: they read the runtime, the API and the pods, run the pod workers, and report status. A
 * {@link PodSyncer} decides how to handle each pod.
 */
export class KubeletParts {
  /** The node's name and the process environment: the clock, the recorder, the machine. */
  readonly context: NodeComponentContext;
  /** The pods that should run on the node. */
  readonly pods = new PodManager();
  readonly cache = new PodCache();
  /** The reasons why containers did not start. */
  readonly reasons = new ReasonCache();
  /** Reads the current state of the runtime; `cache` has the last state that was read. */
  readonly runtimePods: RuntimePods;
  readonly pleg: Pleg;
  readonly runtimeState: RuntimeState;
  readonly workers: PodWorkers;
  /** The reported statuses of pods. */
  readonly statuses: StatusManager;
  readonly images: ImageManager;
  readonly volumes: VolumeManager;
  readonly probes: ProbeManager;
  readonly configs: CriConfigs;
  readonly lifecycle: LifecycleHandlers;
  /** The steps of a sync that are the same in every kubelet. */
  readonly steps = new PodSteps(this);
  /** The results of the probes. */
  readonly probeResults: ProbeResults = {
    liveness: (id) => this.probes.result('liveness', id),
    startup: (id) => this.probes.result('startup', id),
  };
  readonly #statusOptions: APIPodStatusOptions;

  constructor(
    context: NodeComponentContext,
    syncer: (parts: KubeletParts) => PodSyncer,
    {
      decisions,
      signals,
      configuration = {},
    }: {
      readonly decisions: StatusDecisions;
      readonly signals: KubeletSignals;
      readonly configuration?: KubeletConfiguration;
    },
  ) {
    const { clock, client, random, recorder, signal, host, log } = context;
    const { runtime, files, network } = host;
    const { pods, cache, reasons } = this;
    const onError = (error: unknown): void => {
      noteCaught(error);
      log(String(error));
    };
    this.context = context;
    this.runtimePods = new RuntimePods({ runtime, clock, readFile: (path) => files.readFile(path) });
    this.pleg = new Pleg({
      runtimePods: this.runtimePods,
      cache,
      clock,
      signal,
      onEvent: signals.onLifecycle,
      onError,
    });
    this.runtimeState = new RuntimeState({ runtime, pleg: this.pleg, clock, signal });
    const statusOf = (uid: string) => this.statuses.get(uid);
    const couldHaveRunningContainers = (uid: string) => this.workers.couldHaveRunningContainers(uid);
    this.statuses = new StatusManager({ client, clock, signal, pods, couldHaveRunningContainers, onError });
    this.images = context.newImageManager();
    this.volumes = context.newVolumeManager({
      desiredPods: () => pods.list().filter(({ metadata }) => couldHaveRunningContainers(metadata.uid)),
      couldHaveRunningContainers,
      statusOf,
    });
    this.probes = context.newProbeManager({
      statusOf,
      onUpdate: signals.onProbe,
    });
    this.configs = new CriConfigs({
      client,
      recorder,
      random: random.fork('configs'),
      files,
      volumes: this.volumes,
      hostIP: host.ip,
      dns: dnsOf(configuration),
      node: context.node,
      ...(configuration.serviceEnvironment && { services: context.informers.forResource(services) }),
      allocatable: () => ({}),
    });
    context.informers.start();
    this.lifecycle = new LifecycleHandlers({
      runtime,
      network,
      clock,
      recorder,
      podIPOf: (pod) => this.#podIPOf(pod),
    });
    this.#statusOptions = { decisions, reasons, probes: this.probes, hostIP: host.ip, clock, recorder };
    this.workers = new PodWorkers({
      syncer: syncer(this),
      cache,
      clock,
      random: random.fork('workers'),
      recorder,
      onError: signals.onSyncError,
      onChanged: (uid) => this.pleg.requestRelist(uid),
      onDue: signals.onDue,
    });
  }

  /**
   * Returns the status to report for a pod.
   *
   * @param podIsTerminal whether no container of the pod runs or will run again
   */
  generateAPIPodStatus(
    pod: Pod,
    podStatus: RuntimePodStatus,
    { podIsTerminal = false }: { readonly podIsTerminal?: boolean } = {},
  ): core.PodStatus {
    const old = this.statuses.get(pod.metadata.uid) ?? pod.status;
    return generateAPIPodStatus({ pod, podStatus, old, podIsTerminal }, this.#statusOptions);
  }

  /**
   * Reports at once that the sandbox of a pod is ready; the rest of the status stays unchanged.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go OnPodSandboxReady
   */
  onPodSandboxReady(pod: Pod): void {
    const old = this.statuses.get(pod.metadata.uid);
    if (old) this.statuses.setPodStatus(pod, withReadyToStart(pod, old));
  }

  /**
   * Reports a changed probe result at once: updates the readiness of the pod and leaves the rest of the status
   * unchanged.
   */
  onReadiness(pod: Pod): void {
    const old = this.statuses.get(pod.metadata.uid);
    if (old) this.statuses.setPodStatus(pod, readinessOf(pod, old, this.#statusOptions));
  }

  /**
   * Removes a container and its log. If that fails, garbage collection removes the container later.
   *
   * @param id the container's ID in the runtime
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go removeContainer
   */
  async removeContainer(id: string): Promise<void> {
    const { host, log } = this.context;
    try {
      const { logPath } = await host.runtime.containerStatus(id);
      if (logPath) await host.files.removeAll(logPath);
      await host.runtime.removeContainer(id);
    } catch (error) {
      if (!isCriNotFound(error)) log(`Failed to remove the container ${id}: ${error}`);
    }
  }

  /** Reads the current state of a pod from the runtime. @throws cri.CriError */
  readPodStatus({ metadata }: Pod): Promise<RuntimePodStatus> {
    const { uid, name, namespace = '' } = metadata;
    return this.runtimePods.read({ uid, name, namespace });
  }

  /**
   * Returns the existing image pull secrets of a pod. Missing ones are reported in an event.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go getPullSecretsForPod
   */
  async pullSecretsOf(pod: Pod): Promise<readonly core.Secret[]> {
    const { client, recorder } = this.context;
    const found: core.Secret[] = [];
    const missing: string[] = [];
    for (const { name = '' } of pod.spec.imagePullSecrets ?? []) {
      if (name === '') continue;
      try {
        found.push(await client.get(secrets, { namespace: pod.metadata.namespace ?? '', name }));
      } catch (error) {
        if (!isNotFound(error)) this.context.log(String(error));
        missing.push(name);
      }
    }
    if (missing.length > 0) {
      recorder.event(
        pod,
        'Warning',
        'FailedToRetrieveImagePullSecret',
        `Unable to retrieve some image pull secrets (${missing.join(', ')}); attempting to pull the image may not succeed.`,
      );
    }
    return found;
  }

  /** Records an event about a container of a pod, which `kubectl describe pod` shows. */
  containerEvent(
    pod: Pod,
    container: string,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
  ): void {
    this.context.recorder.event(containerReference(pod, container), type, reason, message);
  }

  async #podIPOf(pod: Pod): Promise<string> {
    if (pod.spec.hostNetwork) return this.context.host.ip;
    const [ip] = (await this.readPodStatus(pod)).ips;
    if (ip === undefined) throw new Error('failed to find networking container');
    return ip;
  }
}

function dnsOf({
  clusterDNS = ['10.96.0.10'],
  clusterDomain = 'cluster.local',
  resolvConf = '',
}: KubeletConfiguration): DnsConfiguration {
  return { clusterDNS, clusterDomain, resolvConf };
}
