import type { Pod } from '../../api/objects.ts';
import { nodes, pods } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import { type ContainerOf, KubeletError, type KubeletServer } from '../../contracts/node/kubelet-server.ts';
import { type Call, keyOf } from './endpoint.ts';

/** The pod of a request, and the kubelet that runs it. */
interface PodOnNode {
  readonly pod: Pod;
  /** Undefined for a pod without a node. */
  readonly kubelet: KubeletServer | undefined;
}

/** The container of a request, and the kubelet that runs it. */
interface PodTarget extends ContainerOf, PodOnNode {}

/** The parts of a call that are needed to find a pod. */
export type PodCall = Pick<Call, 'client' | 'query' | 'resource' | 'namespace' | 'name' | 'kubelets'>;

/**
 * Finds the container that `?container=` names, or the pod's only container, and the kubelet of its node.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/strategy.go LogLocation, streamLocation, validateContainer
 *
 * @throws StatusError NotFound, BadRequest, InternalError (no kubelet answers)
 */
export async function podTarget(call: PodCall): Promise<PodTarget> {
  const pod = await call.client.get(pods, keyOf(call));
  const container = containerOf(pod, call.query.get('container') ?? '');
  return { pod, container, kubelet: await kubeletOf(call, pod) };
}

/**
 * Finds a pod, and the kubelet of its node.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/strategy.go PortForwardLocation
 *
 * @throws StatusError NotFound, InternalError (no kubelet answers)
 */
export async function podOnNode(call: PodCall): Promise<PodOnNode> {
  const pod = await call.client.get(pods, keyOf(call));
  return { pod, kubelet: await kubeletOf(call, pod) };
}

async function kubeletOf(call: PodCall, { spec: { nodeName } }: Pod): Promise<KubeletServer | undefined> {
  if (!nodeName) return undefined;
  const node = await call.client.get(nodes, { name: nodeName });
  const kubelet = call.kubelets(nodeName);
  if (kubelet) return kubelet;
  const address = node.status.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? nodeName;
  throw errors.internal(`error dialing backend: dial tcp ${address}:10250: connect: connection refused`);
}

/**
 * Translates an error of the kubelet to the error that the apiserver reports.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/generic/rest/response_checker.go
 */
export function passedOn(error: unknown): unknown {
  if (!(error instanceof KubeletError)) return error;
  return error.code === 500 ? errors.internal(error.message) : errors.badRequest(error.message);
}

function containerOf({ metadata, spec }: Pod, asked: string): string {
  const names = [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])].map(
    ({ name }) => name,
  );
  if (asked !== '') {
    if (names.includes(asked)) return asked;
    throw errors.badRequest(`container ${asked} is not valid for pod ${metadata.name}`);
  }
  const [only, ...others] = spec.containers;
  if (only && others.length === 0) return only.name;
  throw errors.badRequest(
    `a container name must be specified for pod ${metadata.name}, choose one of: [${names.join(' ')}]`,
  );
}
