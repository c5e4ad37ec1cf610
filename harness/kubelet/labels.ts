import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import type * as cri from '../contracts/node/cri/index.ts';
import { hashContainer } from './containers.ts';

const POD_NAME = 'io.kubernetes.pod.name';
const POD_NAMESPACE = 'io.kubernetes.pod.namespace';
const POD_UID = 'io.kubernetes.pod.uid';
const CONTAINER_NAME = 'io.kubernetes.container.name';
const HASH = 'io.kubernetes.container.hash';
const RESTART_COUNT = 'io.kubernetes.container.restartCount';
const TERMINATION_MESSAGE_PATH = 'io.kubernetes.container.terminationMessagePath';
const TERMINATION_MESSAGE_POLICY = 'io.kubernetes.container.terminationMessagePolicy';
const POD_DELETION_GRACE = 'io.kubernetes.pod.deletionGracePeriod';
const POD_TERMINATION_GRACE = 'io.kubernetes.pod.terminationGracePeriod';
const PRE_STOP = 'io.kubernetes.container.preStopHandler';

/**
 * Returns the labels of a sandbox. The runtime stores them, so that a restarted kubelet knows to which pod the sandbox
 * belongs.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/labels.go newPodLabels
 */
export function sandboxLabels({ metadata }: Pick<Pod, 'metadata'>): Record<string, string> {
  return { ...metadata.labels, ...podLabels(metadata) };
}

/**
 * Returns the labels of a container.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/labels.go newContainerLabels
 */
export function containerLabels(
  { metadata }: Pick<Pod, 'metadata'>,
  container: Pick<core.Container, 'name'>,
): Record<string, string> {
  return { ...podLabels(metadata), [CONTAINER_NAME]: container.name };
}

/** Selects the sandboxes and containers of a pod. */
export function podSelector(uid: string): Record<string, string> {
  return { [POD_UID]: uid };
}

/** Selects the containers in a pod that have this name. */
export function containerSelector(uid: string, name: string): Record<string, string> {
  return { ...podSelector(uid), [CONTAINER_NAME]: name };
}

/** Returns the pod of a sandbox or container; undefined if no kubelet created it. */
export function podIn(labels: cri.Container['labels']): PodIdentity | undefined {
  const { [POD_UID]: uid, [POD_NAME]: name, [POD_NAMESPACE]: namespace } = labels;
  return uid && name && namespace ? { uid, name, namespace } : undefined;
}

/** Returns the name of a container in its pod's spec. */
export function containerNameIn(labels: cri.Container['labels']): string | undefined {
  return labels[CONTAINER_NAME];
}

/** The identity of a pod. */
export interface PodIdentity {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
}

/** The fields of a container's spec that must be known after the spec is deleted or changed. */
interface ContainerNotes {
  readonly hash: string;
  readonly restartCount: number;
  readonly terminationMessagePath: string;
  readonly terminationMessagePolicy: string;
  readonly deletionGracePeriodSeconds?: number | undefined;
  readonly terminationGracePeriodSeconds?: number | undefined;
  readonly preStop?: core.LifecycleHandler | undefined;
}

/**
 * Returns the annotations that store the notes.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/labels.go newContainerAnnotations
 */
export function containerAnnotations(
  { metadata, spec }: Pick<Pod, 'metadata' | 'spec'>,
  container: core.Container,
  restartCount: number,
): Record<string, string> {
  const { deletionGracePeriodSeconds } = metadata;
  const { terminationGracePeriodSeconds } = spec;
  const { preStop } = container.lifecycle ?? {};
  return {
    [HASH]: hashContainer(container),
    [RESTART_COUNT]: String(restartCount),
    [TERMINATION_MESSAGE_PATH]: container.terminationMessagePath ?? '/dev/termination-log',
    [TERMINATION_MESSAGE_POLICY]: container.terminationMessagePolicy ?? 'File',
    ...(deletionGracePeriodSeconds === undefined
      ? {}
      : { [POD_DELETION_GRACE]: String(deletionGracePeriodSeconds) }),
    ...(terminationGracePeriodSeconds === undefined
      ? {}
      : { [POD_TERMINATION_GRACE]: String(terminationGracePeriodSeconds) }),
    ...(preStop ? { [PRE_STOP]: JSON.stringify(preStop) } : {}),
  };
}

/** Reads the notes from annotations. */
export function notesIn(annotations: cri.Container['annotations']): ContainerNotes {
  const seconds = (key: string) =>
    annotations[key] === undefined ? undefined : Number.parseInt(annotations[key], 10);
  const preStop = annotations[PRE_STOP];
  return {
    hash: annotations[HASH] ?? '',
    restartCount: Number.parseInt(annotations[RESTART_COUNT] ?? '0', 10),
    terminationMessagePath: annotations[TERMINATION_MESSAGE_PATH] ?? '',
    terminationMessagePolicy: annotations[TERMINATION_MESSAGE_POLICY] ?? '',
    deletionGracePeriodSeconds: seconds(POD_DELETION_GRACE),
    terminationGracePeriodSeconds: seconds(POD_TERMINATION_GRACE),
    preStop: preStop === undefined ? undefined : (JSON.parse(preStop) as core.LifecycleHandler),
  };
}

function podLabels({ name, namespace = '', uid }: Pod['metadata']): Record<string, string> {
  return { [POD_NAME]: name, [POD_NAMESPACE]: namespace, [POD_UID]: uid };
}
