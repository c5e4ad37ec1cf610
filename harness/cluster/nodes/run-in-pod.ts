import type { New, Pod } from '../../api/objects.ts';
import { pods } from '../../api/resource.ts';
import { isNotFound } from '../../api/status.ts';
import type { Client } from '../../contracts/client.ts';
import type { Attempt } from '../../node/network/stack/connection.ts';
import type { Cluster } from '../cluster.ts';

/** A program, and the pod that runs it. */
interface PodProgram {
  /** The name of the pod and of its only container. */
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  /** @defaultValue the scheduler chooses */
  readonly nodeName?: string;
  /** @defaultValue default */
  readonly namespace?: string;
}

/** The result of {@link runInPod}. */
export interface PodRun {
  /** Undefined if it did not end in time. */
  readonly exitCode: number | undefined;
  /** The lines of both output streams. */
  readonly output: readonly string[];
  /** All connections that the pod opened or tried to open, oldest first. */
  readonly attempts: readonly Attempt[];
  /** The pod at its end. */
  readonly pod: Pod;
}

/** Longest time to wait for a program, in virtual ms. */
const PATIENCE_MS = 120_000;

/**
 * Runs a program in a new pod and waits for its end, as `kubectl run curl --image=curlimages/curl --restart=Never -- …`
 * does. Then deletes the pod.
 *
 * @param kubectl the client that creates the pod. @defaultValue the admin, without latency and faults
 */
export async function runInPod(
  cluster: Cluster,
  { name, image, command, nodeName, namespace = 'default' }: PodProgram,
  kubectl: Client = cluster.admin,
): Promise<PodRun> {
  const key = { namespace, name };
  const attempts: Attempt[] = [];
  let node = nodeName;
  const endCapture = cluster.network.capture((attempt) => {
    if (attempt.from.label === name && attempt.from.node === node) attempts.push(attempt);
  });
  const look = (): Pod | undefined =>
    cluster.storage
      .list(pods)
      .find(({ metadata }) => metadata.name === name && metadata.namespace === namespace) as Pod | undefined;
  try {
    await cluster.settle(
      kubectl.create(pods, {
        metadata: key,
        spec: {
          restartPolicy: 'Never',
          containers: [{ name, image, command: [...command] }],
          ...(nodeName && { nodeName }),
        },
      } as unknown as New<Pod>),
    );
    const hasEnded = (): boolean => {
      const pod = look();
      node ??= pod?.spec.nodeName;
      return pod?.status?.phase === 'Succeeded' || pod?.status?.phase === 'Failed';
    };
    await cluster.runUntil(hasEnded, PATIENCE_MS);
    const pod = look();
    if (!pod) throw new Error(`Failed to run ${name}: its pod has gone.`);
    const { terminated } = pod.status?.containerStatuses?.[0]?.state ?? {};
    return { exitCode: terminated?.exitCode, output: await logOf(cluster, pod), attempts, pod };
  } finally {
    endCapture();
    await cluster.settle(kubectl.delete(pods, key)).catch(ignoreNotFound);
    await cluster.runUntil(() => look() === undefined, PATIENCE_MS);
  }
}

/** Returns the output of `kubectl logs` for a pod with one container. */
export async function logOf(cluster: Cluster, { metadata, spec }: Pod): Promise<readonly string[]> {
  const { files } = cluster.machine(spec.nodeName ?? '') ?? {};
  const container = spec.containers[0]?.name ?? '';
  const path = `/var/log/pods/${metadata.namespace}_${metadata.name}_${metadata.uid}/${container}/0.log`;
  const log = await (files ? cluster.settle(files.readFile(path)).catch(() => '') : '');
  return log.split('\n').flatMap((line) => /^\S+ std(?:out|err) [FP] (.*)$/.exec(line)?.[1] ?? []);
}

function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
